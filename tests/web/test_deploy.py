"""What is in `deploy/`: the image is built by its own commands and runs without root on a read-only root, the unit is
hardened, the proxy tells where clients come from. Bubblewrap stands in for a container engine."""

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from conftest import ROOT
from packaging.markers import Marker
from processes import process
from web_asking import Asker
from web_server import SECONDS_TO_START, Server
from websockets.sync.client import connect

DEPLOY = ROOT / "deploy"
PLACES = ("build", "wheels", "source", "opt", "data")  # what the image has that this machine has not
INSTALL = "this test needs {}: run `make soak`, or apt-get install bubblewrap nginx-light openssl systemd"
LOCKED = re.compile(r"^([\w.-]+)==(\S+)(?: ; ([^\\\n]+))? ", re.MULTILINE)
TOKENS = {"TILEWRIGHT_ADMIN_TOKEN": "a" * 32, "TILEWRIGHT_METRICS_TOKEN": "m" * 32}
MOST_EXPOSED = 2.0  # of 10, as systemd reckons


@dataclass(frozen=True)
class Image:
    """A Containerfile: its instructions by stage, in order."""

    stages: list[list[tuple[str, str]]]

    def of(self, stage: int, name: str) -> list[str]:
        return [text for kind, text in self.stages[stage] if kind == name]

    @property
    def environment(self) -> dict[str, str]:
        """What is set in the last stage."""
        words = [word for text in self.of(-1, "ENV") for word in shlex.split(text)]
        return dict(word.split("=", 1) for word in words)


@pytest.fixture(scope="module")
def image() -> Image:
    text = re.sub(r"(?m)^#.*\n|\\\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    stages: list[list[tuple[str, str]]] = [[]]
    for line in filter(None, text.splitlines()):
        name, _, rest = line.partition(" ")
        if name == "FROM" and stages[0]:
            stages.append([])
        if name != "ARG":
            stages[-1].append((name, rest))
    return Image(stages)


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    assert found, INSTALL.format(name)
    return found


# --- the image


def test_only_locked_packages_are_installed(image: Image) -> None:
    installs = [
        text for stage in range(2) for text in image.of(stage, "RUN") if re.search(r"pip\s+(install|wheel)", text)
    ]
    assert len(installs) == 4
    for text in installs:
        pinned = [part for part in text.split("&&") if "pip " in part]
        assert all("--require-hashes" in part or "--no-deps" in part for part in pinned), text
    assert not any(re.search(r"apt-get|curl|wget|ADD", text) for stage in range(2) for text in image.of(stage, "RUN"))


def test_the_server_is_nobody_and_writes_to_its_data_alone(image: Image) -> None:
    assert image.of(-1, "USER") == ["tilewright"] and image.of(-1, "VOLUME") == ["/data"]
    assert all(value.startswith("/data") for name, value in image.environment.items() if name in WRITTEN)
    assert json.loads(image.of(-1, "CMD")[0])[:2] == ["tilewright", "serve"]
    assert "HEALTHCHECK" in dict(image.stages[-1])


WRITTEN = ("HOME", "TILEWRIGHT_CACHE", "TILEWRIGHT_DATABASE")


def test_what_is_copied_is_let_into_the_build(image: Image) -> None:
    allowed = {line[1:] for line in (ROOT / ".containerignore").read_text().splitlines() if line.startswith("!")}
    copied = {source for source, _ in copies(image)}
    assert {source.split("/")[0] for source in copied} == allowed
    assert all((ROOT / source).exists() for source in copied)


def copies(image: Image) -> Iterator[tuple[str, str]]:
    """What the first stage copies, and where to."""
    for text in image.of(0, "COPY"):
        *sources, target = text.split()
        for source in sources:
            yield source, f"{target}{Path(source).name}" if target.endswith("/") else target


@pytest.mark.soak
def test_the_image_is_built_and_runs(image: Image, tmp_path: Path) -> None:
    for name in PLACES:
        (tmp_path / name).mkdir()
    for source, target in copies(image):
        copy(ROOT / source, tmp_path / "source" / target)
    for command in image.of(0, "RUN"):
        done = subprocess.run(
            contained(tmp_path, ["sh", "-ec", command], writable=PLACES), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    assert installed(tmp_path) == locked() | {"tilewright"}
    with running(image, tmp_path) as url:
        play_a_hand(url)
        assert json.load(urlopen(f"{url}/api/health"))["ok"]
    assert {path.name for path in (tmp_path / "data").iterdir()} >= {"tables.db", "cache"}


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


def contained(
    folder: Path, command: Sequence[str], writable: Sequence[str], uid: int = 0, **environment: str
) -> list[str]:
    """The command in a root of its own: this machine's folders, and the image's in place of some, all read-only but for
    some of these."""
    words = [program("bwrap"), "--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    words += [
        "--uid",
        str(uid),
        "--gid",
        str(uid),
        "--cap-drop",
        "ALL",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
    ]
    for path in sorted(Path("/").iterdir()):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir() and path.name not in ("proc", "dev", "tmp", *PLACES):
            words += ["--ro-bind", str(path), str(path)]
    for path in Path("/opt").iterdir():
        words += ["--ro-bind", str(path), str(path)]
    for name in PLACES:
        place = "/opt/tilewright" if name == "opt" else f"/{name}"
        words += ["--bind" if name in writable else "--ro-bind", str(folder / name), place]
    python = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    words += ["--symlink", str(python), "/image/python", "--remount-ro", "/", "--chdir", f"/{writable[-1]}"]
    bare = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    path = environment.pop("PATH", "$PATH").replace("$PATH", "/image:/usr/bin:/bin")
    words += [
        "--clearenv",
        *(word for name, value in {**bare, **environment, "PATH": path}.items() for word in ("--setenv", name, value)),
    ]
    source = ["--chdir", "/source"] if "source" in writable else []
    return [*words, *source, *command]


def installed(folder: Path) -> set[str]:
    """What is installed in the image, each as name==version."""
    words = contained(folder, ["/opt/tilewright/bin/python", "-m", "pip", "list", "--format", "json"], ["data"])
    listed = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    own = {"pip", "setuptools"}  # of the environment
    return {
        "tilewright" if one["name"] == "tilewright" else f"{plain(one['name'])}=={one['version']}"
        for one in listed
        if one["name"] not in own
    }


def locked() -> set[str]:
    """What the lock file has for this Python."""
    found = LOCKED.findall((ROOT / "lock/serve.txt").read_text(encoding="utf-8"))
    return {f"{plain(name)}=={version}" for name, version, marker in found if not marker or Marker(marker).evaluate()}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@contextmanager
def running(image: Image, folder: Path) -> Iterator[str]:
    """The server of the image, without root, with nothing to write to but /data and /tmp."""
    environment = image.environment
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*json.loads(image.of(-1, "CMD")[0]), "--port", str(port)]
    check = json.loads(dict(image.stages[-1])["HEALTHCHECK"].partition("CMD ")[2])
    check = [word.replace("8765", str(port)) for word in check]
    probe = ["sh", "-c", "id -u; touch /usr/own /opt/tilewright/own /source/own; true"]
    tried = subprocess.run(
        contained(folder, probe, ["data"], 10001, **environment), capture_output=True, text=True, check=True
    )
    assert tried.stdout.strip() == "10001" and tried.stderr.count("Read-only file system") == 3
    with process(contained(folder, command, ["data"], 10001, **environment), stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and "Serving at" in server.stdout.readline()
        subprocess.run(contained(folder, check, ["data"], 10001, **environment), check=True)
        yield f"http://127.0.0.1:{port}"
    assert subprocess.run(
        contained(folder, check, ["data"], 10001, **environment), stderr=subprocess.DEVNULL
    ).returncode


def play_a_hand(url: str, context: ssl.SSLContext | None = None) -> None:
    """Somebody plays a hand between bots to its end, at the socket of a server."""
    with connect(f"{url.replace('http', 'ws', 1)}/socket", ssl=context, proxy=None) as player:
        seats = [{"kind": "bot", "bot": "fast"}] * 4
        spec = {"ruleset": {"id": "cantonese"}, "hands": 1}
        player.send(json.dumps({"say": "hello", "v": 2}))
        player.send(json.dumps({"say": "make", "spec": spec, "setup": {"seats": seats, "bot_seconds": 0}}))
        end = time.monotonic() + SECONDS_TO_START
        while json.loads(player.recv(SECONDS_TO_START)).get("info", {}).get("state") != "over":
            assert time.monotonic() < end


# --- the unit


@pytest.mark.soak
def test_the_unit_is_valid_and_hardened(tmp_path: Path) -> None:
    text = (DEPLOY / "tilewright.service").read_text(encoding="utf-8")
    unit = tmp_path / "tilewright.service"
    unit.write_text(text.replace("/opt/tilewright/bin/tilewright", sys.executable), encoding="utf-8")
    done = subprocess.run([program("systemd-analyze"), "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    words = [program("systemd-analyze"), "security", "--offline=true", "--json=off", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True)
    found = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert found and float(found[1]) <= MOST_EXPOSED, done.stdout


# --- the proxy


@pytest.mark.soak
def test_the_proxy(tmp_path: Path, start_server: Callable[..., Server]) -> None:
    """Over TLS: the page, the socket, the address of a client that claims another one; nothing for other servers."""
    server = start_server(options=("--public", "--host", "127.0.0.1"), **TOKENS)
    with proxied(tmp_path, server) as (secure, plain_port, context):
        with urlopen(secure, context=context) as page:
            assert page.status == 200 and "max-age" in page.headers["strict-transport-security"]
            assert b"Tilewright" in page.read()
        for path in ("/internal/relay", "/internal/", "/metrics"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(Request(secure + path, headers={"authorization": "Bearer " + "m" * 32}), context=context)
        assert Asker(server.url, "m" * 32).raw("GET", "/metrics")[0] == 200, "but for those beside the server"
        play_a_hand(secure, context)
        claimed = {"X-Forwarded-For": "203.0.113.1", "Origin": secure}
        with connect(f"wss{secure[5:]}/socket", ssl=context, proxy=None, additional_headers=claimed) as own:
            own.send(json.dumps({"say": "hello", "v": 2}))
            assert json.loads(own.recv(SECONDS_TO_START))["say"] == "hello"
            seen = Asker(server.url, "a" * 32).do("GET", "/api/admin")["addresses"]
            assert seen == [{"address": "127.0.0.1", "connections": 1}], "not the address that a client claims"
        with socket.create_connection(("127.0.0.1", plain_port)) as insecure:
            insecure.sendall(b"GET /cards HTTP/1.1\r\nHost: mahjong.example.org\r\nConnection: close\r\n\r\n")
            answer = insecure.recv(10_000).decode()
        assert answer.startswith("HTTP/1.1 301") and "Location: https://mahjong.example.org/cards" in answer


@contextmanager
def proxied(folder: Path, server: Server) -> Iterator[tuple[str, int, ssl.SSLContext]]:
    """nginx as documented, before a server: its address, its port without TLS, and what trusts its certificate."""
    certificate, key = folder / "own.pem", folder / "own.key"
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run(
        [program("openssl"), *words.split(), "-out", certificate, "-keyout", key], check=True, capture_output=True
    )
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        secure, insecure = one.getsockname()[1], other.getsockname()[1]
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    changed = (
        (r"listen \[::\]:\d+.*;\n", ""),
        (r"listen 443", f"listen 127.0.0.1:{secure}"),
        (r"listen 80;", f"listen 127.0.0.1:{insecure};"),
        (r"ssl_certificate .*;", f"ssl_certificate {certificate};"),
        (r"ssl_certificate_key .*;", f"ssl_certificate_key {key};"),
        (r"http://127.0.0.1:8765", server.url),
    )
    for pattern, text in changed:
        site, count = re.subn(pattern, text, site)
        assert count, pattern
    folders = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    main = f"{user}daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
    whole = f"{main}http {{\naccess_log off;\n{folders}{site}}}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    with process([program("nginx"), "-c", folder / "nginx.conf", "-p", folder, "-g", "master_process off;"]):
        wait_for(insecure)
        yield f"https://localhost:{secure}", insecure, ssl.create_default_context(cafile=str(certificate))


def wait_for(port: int) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except (ConnectionError, URLError):
            assert time.monotonic() < end, "nginx did not begin"
            time.sleep(0.1)
