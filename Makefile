# From a bare machine with Python 3.11 or later and make: `make run` starts the web table, `make test` is what CI runs.
# `make run PYTHON=python3.13` takes another Python than the one that is found.

MAKEFLAGS += --jobs=4# what is installed, compiled and checked, beside each other
# The system's where it is complete: built with profiles, it takes a fifth less time than what pyenv builds without them.
COMPLETE := import ensurepip, sys, sysconfig; assert sys.version_info >= (3, 11); open(sysconfig.get_path("include") + "/Python.h")
PYTHON ?= $(shell /usr/bin/python3 -c '$(COMPLETE)' 2> /dev/null && echo /usr/bin/python3 || command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --no-compile# bytecode comes with use
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-annotate --no-header --no-emit-package tilewright --output-file
WORKERS ?= 4# on two cores: many tests wait for a server or a browser
DIST := loadgroup
# Bytecode is kept, whatever the shell says: tests that are prepared anew, and servers that are compiled when they start,
# take a third more time.
KEPT := env --unset=PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/.venv/bytecode
PYTEST = $(KEPT) $(BIN)/pytest -n $(WORKERS) --dist $(DIST) --max-worker-restart 0# after a restart xdist would wait for ever
COMPARED = $(addprefix tests/,play/test_compiled_play.py play/test_compiled_asking.py play/test_compiled_payments.py \
  players/test_kernel_players.py players/test_learning_machine.py scoring/test_scoring_kernel.py)# kernels beside the plain engine
HANDS := $(sort $(wildcard examples/hands/*.jsonl))

# The system's packages: one after another, while other steps go on.
APT = flock .venv sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$$@"' -

PAGE := tools/page/node_modules# what checks the page
BIOME := $(PAGE)/.bin/biome
KERNELS := PYTHONPATH=tools:engine $(BIN)/python -m kernelc
CHECKED := $(CURDIR)/.venv/checked_kernels.so# every index is looked at

.PHONY: run kernels check test types tests quick quick-tests lint page lowest soak fuzz chaos compare bench bench-compare load attack takeover hanchan duels mjlog docs screens format lock audit clean
.DELETE_ON_ERROR:

# The table in the browser; `make run SERVE="--port 8080 --public"` says how it is served.
run: .venv/installed kernels site
	@$(BIN)/tilewright serve $(SERVE)

# The extension module of the kernels, compiled into the checkout unless it is there and of these sources: docs/kernels.md.
kernels: .venv/building
	@$(KERNELS)

# Check every bundled ruleset and card, then score real hands under each ruleset.
check: .venv/installed kernels
	@$(BIN)/tilewright check rulesets cards examples
	@for file in $(HANDS); do \
	  $(BIN)/tilewright score "$$(basename "$$file" .jsonl)" --cases "$$file" --text || exit 1; \
	done

test: types tests

types: .venv/installed
	@$(BIN)/mypy --no-error-summary

tests: lint page kernels .venv/browser .venv/postgresql .venv/sqlite3 .venv/peers/installed .venv/collected
	@$(PYTEST)

# What needs no browser, server, database or other program, but for what takes longest: before a commit.
quick: lint page quick-tests

quick-tests: WORKERS = 2# nothing waits
quick-tests: DIST = loadfile# the tests of a module share what they have looked up
quick-tests: kernels .venv/collected
	@$(PYTEST) -m "not slow and not long and not soak"

# Format and lint of Python.
lint: .venv/installed
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "not formatted: run 'make format'"; exit 1; }

# Format, lint and types of the page.
page: $(PAGE)/.package-lock.json
	@found=$$($(BIOME) check --error-on-warnings 2>&1) || { echo "$$found"; false; }
	@$(PAGE)/.bin/tsc

# The oldest versions of everything that pyproject.toml allows: the tests of `make quick`, long ones, and a socket's hello.
lowest: .venv/lowest/installed kernels
	@$(KEPT) PYTHONPATH=engine:tools .venv/lowest/bin/python -m pytest -n 2 --dist loadgroup -m "not slow and not soak and not locked"
	@$(KEPT) PYTHONPATH=engine:tools .venv/lowest/bin/python -m pytest -n 0 tests/web/test_web_server.py -k hello_comes_first

# What takes too long for `make test`; docs/testing.md has the last figures.
soak: .venv/installed kernels .venv/browser .venv/postgresql .venv/sqlite3 .venv/peers/installed .venv/deploying
	@TEST_BUDGET=20 $(PYTEST) -m "soak or budgeted"
	@$(KERNELS) --checked $(CHECKED)
	@TILEWRIGHT_KERNELS=$(CHECKED) $(PYTEST) $(COMPARED)
	@PYTHONPATH=engine:tests:tools $(BIN)/python tests/million_hands.py $(HANDS_OF)
	@PYTHONPATH=engine:tests $(BIN)/python tests/thousand_games.py $(SOAK)
	@$(MAKE) compare

# Inputs made to break things, guided by the code that they reach: documents, mods, cards, cases, logs, messages, requests;
# `make fuzz FUZZ="--inputs 100000 documents"` says how many, and of what. Findings are in .fuzz/.
fuzz: .venv/installed-fuzz
	@$(KERNELS) --checked $(CHECKED)
	@TILEWRIGHT_KERNELS=$(CHECKED) $(BIN)/python tests/fuzz/run.py $(FUZZ)

# People play while servers, workers, databases, disks, clocks and connections fail: no move may be lost; docs/testing.md
# says more. `make chaos CHAOS="--minutes 30 --database postgresql --seed 7"`.
chaos: .venv/installed .venv/postgresql
	@PYTHONPATH=engine:tests $(BIN)/python -m chaos $(CHAOS)

# Random winning hands scored here and by the programs of other people, 20,000 of each game; differences are printed.
compare: .venv/installed .venv/peers/installed kernels
	@$(BIN)/python benchmarks/compare_riichi.py $(COMPARE)
	@$(BIN)/python benchmarks/compare_mcr.py $(COMPARE)

# Scoring, distance, loading, growth, cards and play, beside other programs in the same run, and the page; docs/speed.md has the last
# figures. `make bench BENCH="scoring --out now.json"` runs one suite and keeps its figures.
bench: .venv/installed-bench kernels
	@$(BIN)/python benchmarks/bench.py $(BENCH)

# Two results of `make bench` beside each other.
bench-compare: .venv/installed
	@$(BIN)/python benchmarks/bench_compare.py $(BEFORE) $(AFTER)

# Many tables of four clients each, against a server of its own: how fast moves are answered, and memory;
# `make load LOAD="--tables 50 --database sqlite"` says how many.
load: .venv/installed kernels
	@$(BIN)/python benchmarks/load.py $(LOAD)

# Clients from four addresses try to stop a server of its own, while people play at twenty other tables: each attack alone,
# then all at once; `make attack ATTACK="--only joins,stalled --seconds 30"` chooses. docs/security.md has the last figures.
attack: .venv/installed kernels
	@$(BIN)/python benchmarks/attack.py $(ATTACK)

# How long tables stand still when one of two servers is killed; `make takeover TAKEOVER="--kills 5"`.
takeover: .venv/installed .venv/postgresql kernels
	@$(BIN)/python benchmarks/takeover.py $(TAKEOVER)

# A thousand hanchan of riichi between careful bots, beside human play: some minutes on two cores; `make hanchan
# HANCHAN="--games 20"` plays fewer.
hanchan: .venv/installed kernels
	@$(BIN)/python benchmarks/hanchan.py $(HANCHAN)

# Every level of bots against every other, in every bundled ruleset: an hour on two cores; `make duels DUELS="--seconds 5 riichi"`.
duels: .venv/installed kernels
	@$(BIN)/python benchmarks/duels.py $(DUELS)

# Hands that people played, in the mjlog files of a folder: `make mjlog LOGS=FOLDER`.
mjlog: .venv/installed kernels
	@$(BIN)/python benchmarks/replay_mjlog.py $(LOGS)

# Everything that is generated: the schema, from its authored part, the words, steps and fields of cases; from it the
# reference of the language; the tables of the card language, from its codes; the messages of the web table, from their
# classes.
docs: .venv/installed
	@$(BIN)/python -m tilewright.language.write_schema
	@$(BIN)/python -m tilewright.authoring.reference docs/language.md docs/cases.md
	@$(BIN)/python -m tilewright.authoring.card_reference docs/cards.md
	@$(BIN)/python -m tilewright.authoring.cards docs/bundled-cards.md
	@$(BIN)/python -m tilewright.presentation.problem_pages docs/problems.md
	@$(BIN)/python -m tilewright.web.reference docs/web-protocol.md schemas/web-protocol.schema.json \
	  tools/page/types/protocol.d.ts schemas/openapi.json

# The documentation as a site, which the server shows at /docs.
site: .venv/installed mkdocs.yml tools/build_site.py README.md CONTRIBUTING.md CHANGELOG.md $(wildcard docs/* rulesets/*/* cards/*)
	@$(BIN)/python tools/build_site.py $@
	@touch $@

# Pictures of every screen, into .screens/, and the contact sheet docs/screens.jpg; `make screens SCREENS="--only home,win
# --sizes 390x844 --themes dark --languages en"` makes some of them.
SCREENS ?= --sheet
screens: .venv/installed .venv/browser .venv/fonts
	@PYTHONPATH=engine:tests:tests/web $(BIN)/python tests/screens.py $(SCREENS)

format: .venv/installed $(PAGE)/.package-lock.json
	@$(BIN)/tilewright fmt rulesets cards examples
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format --quiet .
	@$(BIOME) format --write > /dev/null

# Known vulnerabilities of the locked packages, from the databases of PyPI and npm: needs the internet, and fails where they are
# not reached. CI does it each week.
audit: .venv/audit/installed
	@for file in action bench build dev fuzz serve; do \
	  echo "lock/$$file.txt"; \
	  .venv/audit/bin/pip-audit --strict --require-hashes --disable-pip --progress-spinner off --requirement lock/$$file.txt \
	    || exit 1; \
	done
	@for lock in $$(git ls-files '*package-lock.json'); do \
	  echo "$$lock"; (cd "$$(dirname "$$lock")" && npm audit --package-lock-only) || exit 1; \
	done

clean:
	@rm -rf engine/tilewright/_kernels.* .venv $(PAGE) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# The versions that `make` installs, the newest that pyproject.toml allows, with the hashes of their files.
lock: .venv/installed
	@$(PIP) 'uv>=0.9,<1'
	@$(LOCK) lock/dev.txt pyproject.toml --extra all --group dev
	@$(LOCK) lock/bench.txt pyproject.toml --extra all --group dev --group bench --constraint lock/dev.txt
	@$(LOCK) lock/fuzz.txt pyproject.toml --extra all --group dev --group fuzz --constraint lock/dev.txt
	@$(LOCK) lock/serve.txt pyproject.toml --extra serve --extra postgres --constraint lock/dev.txt
	@$(LOCK) lock/action.txt pyproject.toml --group action --constraint lock/dev.txt
	@$(LOCK) lock/lowest.txt pyproject.toml --resolution lowest-direct --extra all --group dev
	@$(LOCK) lock/build.txt --group pyproject.toml:build --constraint lock/dev.txt
	@$(LOCK) lock/audit.txt --group pyproject.toml:audit
	@$(LOCK) lock/peers.txt benchmarks/peers.txt

# The stamps are newer than what they depend on: nothing is installed again, and no network is needed, until that changes.
$(BIN)/python:
	@"$(PYTHON)" -m venv .venv

.venv/installed: pyproject.toml .venv/packages tools/build_hook.py | kernels
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/packages: lock/dev.txt | .venv/building
	@$(PIP) --require-hashes --requirement $<
	@touch $@

# What kernels are compiled with, while the rest is installed.
.venv/building: lock/build.txt | $(BIN)/python
	@command -v cc > /dev/null || { echo "installing a C compiler ..."; \
	  $(APT) gcc libc6-dev > /dev/null 2>&1 || echo "there is no C compiler: kernels are left out, and their tests fail"; }
	@echo "installing into .venv ..."
	@$(PIP) --require-hashes --requirement $<
	@touch $@

# The browser of the tests: the system's Chromium, installed where it is missing. Its headless shell needs half the time.
.venv/browser: | $(BIN)/python
	@command -v chromium-headless-shell > /dev/null || { echo "installing chromium ..."; \
	  $(APT) chromium-headless-shell > $@.log 2>&1; } \
	  || { command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null \
	  || { tail -n 3 $@.log; echo "install Chromium: apt-get install chromium"; exit 1; }
	@touch $@

# Chinese and Japanese on pictures: a small font, where the system has none.
.venv/fonts: | $(BIN)/python
	@test -n "$$(fc-list :lang=zh 2> /dev/null)" || { echo "installing a Chinese font ..."; \
	  $(APT) fontconfig fonts-wqy-microhei > $@.log 2>&1 || { tail -n 3 $@.log; echo "install a font with Chinese"; exit 1; }; }
	@touch $@

# The tests start a PostgreSQL of their own: its programs, installed where they are missing.
.venv/postgresql: | $(BIN)/python
	@{ command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } > /dev/null 2>&1 || { \
	  echo "installing postgresql ..."; \
	  $(APT) postgresql > $@.log 2>&1 || { tail -n 3 $@.log; echo "install PostgreSQL: apt-get install postgresql"; exit 1; }; }
	@touch $@

# Backups of SQLite are made with its own program.
.venv/sqlite3: | $(BIN)/python
	@command -v sqlite3 > /dev/null || { echo "installing sqlite3 ..."; \
	  $(APT) sqlite3 > $@.log 2>&1 || { tail -n 3 $@.log; echo "install SQLite: apt-get install sqlite3"; exit 1; }; }
	@touch $@

# What tries the files of deploy/: in place of a container engine, a web server, and what reads units.
.venv/deploying: | $(BIN)/python
	@{ command -v bwrap && command -v systemd-analyze && command -v openssl && PATH=$$PATH:/usr/sbin command -v nginx; } \
	  > /dev/null || { echo "installing bubblewrap, nginx, openssl and systemd ..."; \
	  $(APT) bubblewrap nginx-light openssl systemd > $@.log 2>&1 || { tail -n 3 $@.log; exit 1; }; }
	@touch $@

# The linter, formatter and type checker of the page, with npm, which writes a list of what it has installed.
$(PAGE)/.package-lock.json: tools/page/package.json tools/page/package-lock.json | $(BIN)/python
	@command -v npm > /dev/null || { echo "installing node and npm ..."; \
	  $(APT) nodejs npm > .venv/npm.log 2>&1 || { tail -n 3 .venv/npm.log; echo "install Node 20 or later, with npm"; exit 1; }; }
	@echo "installing into $(PAGE) ..."
	@npm ci --prefix tools/page --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# The bytecode of all modules and tests, written once rather than by each worker.
.venv/collected: .venv/installed
	@$(KEPT) $(BIN)/pytest --collect-only -qq -n 0 > /dev/null || true
	@touch $@

.venv/installed-bench: .venv/installed lock/bench.txt
	@$(PIP) --require-hashes --requirement lock/bench.txt
	@touch $@

.venv/installed-fuzz: .venv/installed lock/fuzz.txt
	@$(PIP) --require-hashes --requirement lock/fuzz.txt
	@touch $@

.venv/lowest/installed: lock/lowest.txt | .venv/installed
	@test -x .venv/lowest/bin/python || "$(PYTHON)" -m venv .venv/lowest
	@PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/lowest/bin/python -m pip install --quiet --no-compile --require-hashes --requirement $<
	@touch $@

.venv/audit/installed: lock/audit.txt
	@test -x .venv/audit/bin/python || "$(PYTHON)" -m venv .venv/audit
	@PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/audit/bin/python -m pip install --quiet --require-hashes --requirement $<
	@touch $@

# The programs that the comparisons ask, apart from everything else.
.venv/peers/installed: lock/peers.txt | $(BIN)/python
	@test -x .venv/peers/bin/python || "$(PYTHON)" -m venv .venv/peers
	@echo "installing into .venv/peers ..."
	@PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/peers/bin/python -m pip install --quiet --no-compile --require-hashes --requirement $<
	@touch $@
