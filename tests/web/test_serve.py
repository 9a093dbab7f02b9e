"""tilewright serve: one line with a link, a page behind it, an end without noise; plain words where it cannot begin."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from urllib.request import Request, urlopen

import pytest
from preloaded import begin
from processes import HANGS
from web_server import SECONDS_TO_END, Cluster, Server
from websockets.sync.client import connect

from tilewright.authoring.open_rules import CannotBegin
from tilewright.cli.commands.table.serve import serve

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
StartServer = Callable[..., Server]


def refused(*options: str, **environment: str) -> str:
    """What is said by a server that cannot begin: it ends with 2, and says it without a traceback."""
    command = [sys.executable, "-m", "tilewright", "serve", *options]
    with TemporaryFile("w+") as errors:
        process = begin(command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **environment})
        assert process.stdout is not None
        with process.stdout:
            printed = process.stdout.read()
        code = process.wait(SECONDS_TO_END)
        errors.seek(0)
        said = errors.read()
    assert (code, printed) == (2, ""), said
    assert "Traceback" not in said
    assert said.startswith("tilewright: ")
    return said


def page(server: Server, path: str = "/") -> str:
    with urlopen(server.url + path, timeout=HANGS) as answer:
        assert answer.status == 200
        text: str = answer.read().decode()
        return text


def group(pid: int) -> list[str]:
    """What runs in a process's group."""
    listed = subprocess.run(["ps", "-eo", "pgid=,pid=,args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if line.split()[0] == str(pid) and "<defunct>" not in line]


def wait_for_no_group(pid: int) -> None:
    wait_until(lambda: not group(pid))


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS_TO_END
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


# --- how it begins and ends


def test_a_server_prints_its_link_answers_and_ends(start_server: StartServer, tmp_path: Path) -> None:
    """Ctrl-C as in a terminal: whatever was started gets it, too; and as of somebody who cannot wait, twice."""
    server = start_server(own_database=False, anew=True, XDG_STATE_HOME=str(tmp_path))
    assert re.fullmatch(r"Serving at http://127\.0\.0\.1:\d+  Ctrl-C stops\.\n", server.first_line)
    assert "<!doctype html>" in page(server).lower()
    assert (tmp_path / "tilewright" / "tables.db").is_file(), "beside the games of the terminal"
    assert server.process is not None and server.process.stdout is not None
    pid = server.process.pid
    with connect(server.socket) as client:
        client.send(json.dumps({"say": "hello", "v": 2}))
        assert json.loads(client.recv())["say"] == "hello"
        os.killpg(pid, signal.SIGINT)
        os.killpg(pid, signal.SIGINT)
        assert server.process.wait(SECONDS_TO_END) == 0
    assert server.process.stdout.read() == "", "one line, and no more"
    assert server.said == "Stopped. The tables continue at the next start.\n"
    wait_for_no_group(pid)


def test_a_server_that_is_killed_leaves_no_process_and_knows_everybody_afterwards(start_server: StartServer) -> None:
    server = start_server()
    with connect(server.socket) as client:
        client.send(json.dumps({"say": "hello", "v": 2, "name": "Ann"}))
        key = json.loads(client.recv())["key"]
    assert server.process is not None
    pid = server.process.pid
    server.process.kill()
    server.process.wait(SECONDS_TO_END)
    wait_for_no_group(pid)
    server.start()
    assert name_of(server, key) == "Ann"


def test_a_public_server_says_where_others_find_it(start_server: StartServer, tmp_path: Path) -> None:
    browser, shown = tmp_path / "browser", tmp_path / "shown"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {shown}.part && mv {shown}.part {shown}\n', encoding="utf-8")
    browser.chmod(0o755)
    server = start_server(options=("--public", "--open"), BROWSER=f"{browser} %s")
    assert re.fullmatch(r"http://[\d.]+:\d+", server.url)
    port = server.url.rpartition(":")[2]
    with urlopen(f"http://127.0.0.1:{port}/", timeout=HANGS) as answer:
        assert answer.status == 200
    wait_until(shown.exists)
    assert shown.read_text(encoding="utf-8").rstrip("/") == f"http://127.0.0.1:{port}"
    assert server.process is not None
    server.process.terminate()
    assert server.process.wait(SECONDS_TO_END) in (0, -signal.SIGTERM)
    assert server.said == ""


@pytest.mark.xdist_group("postgresql")
def test_two_servers_begin_on_one_database(start_server: StartServer, postgresql_cluster: Cluster) -> None:
    url = postgresql_cluster.fresh()
    first, second = start_server(database=url), start_server(database=url)
    with connect(first.socket) as client:
        client.send(json.dumps({"say": "hello", "v": 2, "name": "Ann"}))
        key = json.loads(client.recv())["key"]
    assert name_of(second, key) == "Ann"


def name_of(server: Server, key: str) -> str:
    """What the person with a key is called."""
    with connect(server.socket) as client:
        client.send(json.dumps({"say": "hello", "v": 2, "key": key}))
        name: str = json.loads(client.recv())["person"]["name"]
        return name


# --- what keeps it from beginning


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_windows_is_told_of_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CannotBegin, match="Linux and macOS"):
        serve()


def test_a_port_in_use(taken_port: int, tmp_path: Path) -> None:
    said = refused("--port", str(taken_port), "--database", str(tmp_path / "tables.db"))
    assert f"port {taken_port} is in use" in said
    assert "--port 0" in said
    assert not (tmp_path / "tables.db").exists()


@pytest.mark.parametrize("host", ["no such host", "x" * 300, "203.0.113.7"])
def test_an_address_that_this_machine_does_not_have(host: str) -> None:
    assert "address" in refused("--host", host, "--port", "0")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/tables", "ann:***@127.0.0.1:1/tables cannot be used"),
        ("mysql://127.0.0.1/tables", "databases of the kind 'mysql' are not supported"),
        ("/no/such/folder/tables.db", "there is no folder /no/such/folder"),
        ("/", "cannot be used"),
        ("://", "this is not the URL of a database"),
    ],
)
def test_a_database_that_cannot_be_reached(url: str, said: str) -> None:
    message = refused("--port", "0", "--database", url)
    assert said in message
    assert "hint: " in message
    assert "secret" not in message


def test_a_database_that_is_named_by_a_variable() -> None:
    assert "databases of the kind 'mysql'" in refused("--port", "0", TILEWRIGHT_DATABASE="mysql://127.0.0.1/tables")


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("create table tilewright_version (version_num text)")
        database.execute("insert into tilewright_version values ('v1000')")
        database.commit()
    message = refused("--port", "0", "--database", str(file))
    assert "newer version" in message
    assert "v1000" in message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("something else " * 300, encoding="utf-8")
    assert "not a database" in refused("--port", "0", "--database", str(file))
    assert file.read_text(encoding="utf-8") == "something else " * 300


# --- make run


def test_make_run_starts_it() -> None:
    """What it would run, with nothing left to install."""
    command = [
        "make",
        "--dry-run",
        "--silent",
        "--old-file",
        ".venv/installed",
        "--old-file",
        "site",
        "run",
        "SERVE=--port 0",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ".venv/bin/tilewright serve --port 0"


# --- tokens


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read: no such file"), (b"short", "no token of at least"), (b"\xff" * 40, "it is not text")],
)
def test_a_token_that_cannot_be_used(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    for option in ("--admin-token-file", "--metrics-token-file"):
        said = refused("--database", str(tmp_path / "tables.db"), option, str(file))
        assert words in said and "openssl rand -hex 32" in said


def test_a_token_of_the_environment_is_looked_at_too(tmp_path: Path) -> None:
    said = refused("--database", str(tmp_path / "tables.db"), TILEWRIGHT_ADMIN_TOKEN="tiny")
    assert "TILEWRIGHT_ADMIN_TOKEN has no token" in said and "tiny" not in said


def test_a_token_in_a_file(start_server: StartServer, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("t" * 40 + "\n", encoding="utf-8")
    server = start_server(options=("--admin-token-file", str(file)))
    request = Request(f"{server.url}/api/admin", headers={"authorization": "Bearer " + "t" * 40})
    with urlopen(request, timeout=HANGS) as answer:
        assert json.load(answer)["bans"] == []
