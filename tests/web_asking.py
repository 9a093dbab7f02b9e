"""Somebody at a server who asks over HTTP, for tests: their key, and what they are answered."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from web_server import Server
from websockets.sync.client import connect

SECONDS = 240
LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Asker:
    """Somebody. Without a key: nobody whom the server knows. `address`: from where they ask, as a proxy tells."""

    url: str
    key: str | None = None
    address: str | None = None

    def raw(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """The status of an answer, and what it says."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        headers |= {"x-forwarded-for": self.address} if self.address else {}
        try:
            with urlopen(Request(self.url + path, data, headers, method=method), timeout=SECONDS) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()

    def do(self, method: str, path: str, body: Any = None) -> Any:
        """What an answer says that grants what was asked."""
        status, found = self.raw(method, path, body)
        assert status < 300, found
        return json.loads(found)

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """The status and the code of a refusal; its message is there in both languages."""
        status, found = self.raw(method, path, body)
        assert status >= 400, found
        error = json.loads(found)["error"]
        assert all(error["message"][language] for language in LANGUAGES)
        return status, error["code"]

    def lines(self, method: str, path: str, body: Any = None) -> list[Any]:
        """What an answer says line by line."""
        status, found = self.raw(method, path, body)
        assert status < 300, found
        return [json.loads(line) for line in found.splitlines()]


def asker(server: Server, name: str) -> Asker:
    """Somebody new at a server."""
    with connect(server.socket, proxy=None) as socket:
        socket.send(json.dumps({"say": "hello", "v": 2, "name": name, "id": 1}))
        hello = json.loads(socket.recv(SECONDS))
    return Asker(server.url, hello["key"])
