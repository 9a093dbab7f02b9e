"""Kernels to C: what is translated says what Python says, what C cannot say is refused; what is built, and used."""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from copy import deepcopy
from importlib import import_module, util
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from budget import budget
from conftest import ROOT

from kernelc import __main__ as command
from kernelc import building
from kernelc.building import CHECKED, FLAGS, NotCompiled, Translated, compiled, translated
from kernelc.c_types import NotC
from tilewright.base import kernels
from tilewright.base.kernels import Entry

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("test_kernelc")]  # all kernels are translated once

DATA = Path(__file__).parents[1] / "data" / "kernels"
PACKAGE = ROOT / "engine/tilewright"


@pytest.fixture(scope="module")
def samples() -> Iterator[Any]:
    """Kernels that try every part of what is translated."""
    sys.path.insert(0, str(DATA))
    yield import_module("samples")
    sys.path.remove(str(DATA))


def module_of(entries: list[Entry[..., Any]], folder: Path, flags: tuple[str, ...] = FLAGS) -> Any:
    """An extension module of these entries."""
    source, file = folder / "made.c", folder / "made.so"
    source.write_text(translated(PACKAGE, entries).text, encoding="utf-8")
    compiled(source, file, (*flags, "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable"))
    return kernels.loaded(str(file))


def entries_in(module: Any) -> list[Entry[..., Any]]:
    return [one for one in vars(module).values() if isinstance(one, Entry)]


@pytest.fixture(scope="module")
def made(samples: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return module_of(entries_in(samples), tmp_path_factory.mktemp("made"), CHECKED)


NAMES = re.findall(r"^@entry\ndef (\w+)", (DATA / "samples.py").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_c_says_what_python_says(name: str, samples: Any, made: Any) -> None:
    """3,000 random inputs each: the same results, and the same numbers in the arrays."""
    entry, chance = getattr(samples, name), Random(name)
    run = made.bind(entry.id)
    for _ in range(3_000):
        given = samples.given(name, chance)
        one, other = deepcopy(given), [of_python(x) for x in deepcopy(given)]
        with np.errstate(all="ignore"):
            found, expected = run(*one), entry.plain(*other)
        assert found == expected, (name, given)
        assert all(map(np.array_equal, flat(one), flat(other))), (name, given)


def of_python(value: Any) -> Any:
    """An array of narrow numbers as one of Python's own."""
    return value.astype(object) if isinstance(value, np.ndarray) and value.dtype.itemsize in (1, 4) else value


def flat(values: Iterable[Any]) -> Iterator[Any]:
    for one in values:
        yield from flat(one) if isinstance(one, tuple) else [one]


REFUSED = re.findall(r"^# (.+)\n((?:.+\n)+)", (DATA / "refused.txt").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("why", "text"), REFUSED, ids=[why for why, _ in REFUSED])
def test_what_c_cannot_say_is_refused(why: str, text: str, tmp_path: Path) -> None:
    """With the file, the line and its text."""
    file = tmp_path / "refused.py"
    head = "import numpy as np\nfrom tilewright.base.kernels import I64, F64, U8, entry, kernel, operation\n\n"
    file.write_text(head + text, encoding="utf-8")
    spec = util.spec_from_file_location("refused", file)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(NotC) as error:
        translated(PACKAGE, entries_in(module))
    assert re.match(rf"{re.escape(str(file))}:\d+: ", str(error.value)), error.value
    assert why in str(error.value), error.value


# --- calls


def test_arrays_are_bound_once(samples: Any, made: Any) -> None:
    numbers = np.arange(6)
    add = made.bind(samples.bumped.id, numbers)
    assert [add(1, 0), add(2, 0)] == [1, 3] and numbers[0] == 3
    del numbers
    assert add(3, 4) == 10


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ((), "takes more arguments"),
        ((np.arange(6),), "takes more arguments"),
        ((np.arange(6), 1, 2, 3), "too many"),
        ((np.arange(6, dtype=np.int32), 1, 2), "an array of 1 dimensions of q is expected, not of 1 of i"),
        ((np.zeros((2, 3), np.int64), 1, 2), "an array of 1 dimensions of q is expected, not of 2 of l"),
        ((np.arange(12)[::2], 1, 2), "contiguous"),
        (([1, 2], 1, 2), "buffer|bytes-like"),
        ((np.arange(6), "1", 2), "int"),
        ((np.arange(6), 1 << 64, 2), "too large|too big"),
    ],
)
def test_wrong_arguments_are_refused(args: tuple[Any, ...], why: str, samples: Any, made: Any) -> None:
    with pytest.raises((TypeError, ValueError, BufferError, OverflowError), match=why):
        made.bind(samples.bumped.id)(*args)


@pytest.mark.parametrize("flags", [FLAGS, CHECKED], ids=["shipped", "checked"])
def test_a_wrong_index_is_an_error(flags: tuple[str, ...], samples: Any, tmp_path: Path) -> None:
    """Nothing is written beside an array; a checked build looks at what is read as well."""
    module = module_of([samples.written_at, samples.read_at, samples.filled_to], tmp_path, flags)
    numbers = np.zeros(3, np.int64)
    for at in (-1, 3, 1 << 40):
        with pytest.raises(IndexError, match=rf"in k_written_at an index is {at}, of 3"):
            module.bind(samples.written_at.id)(numbers, at)
        if flags == CHECKED:
            with pytest.raises(IndexError, match=rf"in k_read_at an index is {at}, of 3"):
                module.bind(samples.read_at.id)(numbers, at)
    module.bind(samples.written_at.id)(numbers, 2)
    assert numbers.tolist() == [0, 0, 7]
    with pytest.raises(IndexError, match="in k_filled_to an index is 4, of 3"):
        module.bind(samples.filled_to.id)(numbers, 5)


def test_an_unknown_entry_is_an_error(made: Any) -> None:
    with pytest.raises(LookupError, match="samples:none is no entry"):
        made.bind("samples:none")


# --- what is built


@pytest.fixture(scope="module")
def shipped() -> Translated:
    """What all kernels become."""
    return translated(PACKAGE)


def test_the_module_is_of_these_sources(shipped: Translated) -> None:
    module = kernels.compiled()
    assert module is not None, "run `make kernels`"
    assert [one.id for one in building.entries_of(PACKAGE)] == module.entries
    assert shipped.fingerprint == module.fingerprint


def test_what_kernels_are_made_from_changes_the_fingerprint(shipped: Translated, tmp_path: Path) -> None:
    """A kernel, a number of another module that is compiled into it, and a number that that one is made from."""
    made = shipped
    files = made.sources.split()
    for name in ("play/compiled/machine/running.py", "play/compiled/kernel/layout.py", "hands/distance/kernels.py"):
        assert name in files
    assert not any(name.startswith(("web/", "cli/", "language/")) for name in files)
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((PACKAGE / name).read_bytes())
    assert kernels.fingerprint(made.sources, tmp_path) == made.fingerprint
    changed = tmp_path / "play/compiled/kernel/layout.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert kernels.fingerprint(made.sources, tmp_path) != made.fingerprint
    changed.unlink()
    assert kernels.fingerprint(made.sources, tmp_path) == ""


SCORE = """
import sys, tilewright
from tilewright.base.kernels import are_compiled
score = tilewright.load("cantonese").score("222p 333s 88m EE", melds=["444p"], win="E", self_draw=True)
print(are_compiled(), score.total, "numpy" in sys.modules)
"""


def scored(**environment: str) -> tuple[str, str]:
    """What is printed and what is said by a process that scores a hand."""
    given = {**os.environ, "TILEWRIGHT_KERNELS": "", **environment}
    done = subprocess.run([sys.executable, "-c", SCORE], env=given, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_without_the_module_kernels_run_as_python_and_say_so_once(tmp_path: Path) -> None:
    with_kernels, said = scored()
    assert with_kernels.startswith("True") and said == ""
    total = with_kernels.split()[1]
    plain, said = scored(TILEWRIGHT_KERNELS="plain")
    assert plain.split()[:2] == ["False", total] and said == "", "who leaves them out knows"
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"none")
    plain, said = scored(TILEWRIGHT_KERNELS=str(broken))
    assert plain.split()[:2] == ["False", total]
    assert said.startswith("tilewright: kernels do not load") and said.count("\n") == 1 and kernels.HINT in said


@pytest.mark.slow
def test_kernels_of_other_sources_are_not_used(samples: Any, tmp_path: Path) -> None:
    text = translated(PACKAGE, [samples.bumped]).text.replace('kc_sources[] = ""', 'kc_sources[] = "__init__.py\\n"')
    (tmp_path / "other.c").write_text(text, encoding="utf-8")
    compiled(tmp_path / "other.c", tmp_path / "other.so")
    plain, said = scored(TILEWRIGHT_KERNELS=str(tmp_path / "other.so"))
    assert plain.startswith("False") and "kernels were compiled from other sources" in said


def build(kind: str, source: Path, folder: Path, **environment: str) -> Path:
    """A wheel or a source archive of a folder."""
    code = f"from hatchling.build import build_{kind} as build; import sys; print(build(sys.argv[1]))"
    given = {**os.environ, "TILEWRIGHT_KERNELS": "", **environment}
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=source, env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.mark.slow
def test_a_wheel_of_the_source_archive_needs_a_compiler_alone(tmp_path: Path) -> None:
    archive = build("sdist", ROOT, tmp_path)
    subprocess.run(["tar", "-xzf", archive], cwd=tmp_path, check=True)
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    assert (unpacked / "kernels.c").is_file()
    for name in ("program", "expressions", "body", "sources"):
        (unpacked / f"tools/kernelc/{name}.py").write_text("raise AssertionError('the translator is not needed')\n")
    wheel = build("wheel", unpacked, tmp_path, CFLAGS="-O0")
    assert re.search(r"-cp311-abi3-\w+\.whl$", wheel.name)
    with zipfile.ZipFile(wheel) as file:
        assert "tilewright/_kernels.abi3.so" in file.namelist() and not any("kernelc" in x for x in file.namelist())
    pure = build("wheel", unpacked, tmp_path / "plain", CC="no-such-compiler", PATH="/nowhere")
    assert pure.name.endswith("-py3-none-any.whl")


def test_what_ails_a_compiler_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int x = ;\n")
    with pytest.raises(NotCompiled, match=r"the compiler failed: (.|\n)*expected expression"):
        compiled(tmp_path / "bad.c", tmp_path / "bad.so")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(NotCompiled, match="there is no C compiler"):
        building.compiler()


def test_without_a_compiler_kernels_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a compiler `make run` goes on; only checked kernels cannot be left out."""
    monkeypatch.setenv("TILEWRIGHT_KERNELS", "plain")
    monkeypatch.setattr(command, "is_current", lambda file, package: False)
    assert (command.main(), command.main("--checked", "none.so")) == (0, 1)
    assert capsys.readouterr().err.count("kernels are left out") == 2


@pytest.mark.soak
def test_checked_kernels_score_and_play_the_same(tmp_path: Path) -> None:
    """With the sanitizers: no index is wrong, nothing is read that is not there, no shift is too wide."""
    source, file = tmp_path / "kernels.c", tmp_path / "kernels.so"
    source.write_text(translated(PACKAGE).text, encoding="utf-8")
    sanitized = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g")
    compiled(source, file, (*CHECKED, *sanitized))
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    environment = {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    alike, shipped = {**os.environ, "PYTHONHASHSEED": "0"}, {"TILEWRIGHT_KERNELS": ""}  # hands are drawn out of sets
    command = [sys.executable, str(Path(__file__).parents[1] / "kernel_hashes.py"), str(budget(10))]
    found = [
        subprocess.run(command, env={**alike, **more}, capture_output=True, text=True)
        for more in (shipped, shipped, {"TILEWRIGHT_KERNELS": str(file), **environment})
    ][1:]  # the first one makes tables, which the others read
    assert [done.returncode for done in found] == [0, 0], found[1].stderr
    assert found[0].stdout == found[1].stdout and "runtime error" not in found[1].stderr
