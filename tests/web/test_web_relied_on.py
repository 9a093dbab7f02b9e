"""What the server uses of uvicorn and websockets beside their public interfaces: in a version without it, the test says
what is missing, where sockets would fail. `pyproject.toml` allows versions that have it."""

import asyncio
from functools import partial
from operator import attrgetter
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState


async def app(*_: Any) -> None:
    """Answers nothing."""


PROTOCOL = {"config": Config(app), "server_state": ServerState(), "app_state": {}}
RELIED_ON = {
    partial(H11Protocol, **PROTOCOL): """
        config conn.their_state cycle flow headers loop transport
        connection_lost connection_made data_received handle_events handle_websocket_upgrade on_response_complete
        pause_writing resume_writing""",
    partial(WebSocketsSansIOProtocol, **PROTOCOL): """
        conn.events conn.reader.buffer frames loop read_paused transport writable.is_set
        connection_lost data_received handle_events pause_writing receive resume_writing run_asgi
        send_receive_event_to_app""",
    partial(FlowControl, None): "read_paused pause_reading resume_reading",
    partial(_TrustedHosts, "127.0.0.1"): "__contains__",
}


@pytest.mark.parametrize(("make", "names"), RELIED_ON.items(), ids=[make.func.__name__ for make in RELIED_ON])
def test_what_is_relied_on_is_there(make: partial[Any], names: str) -> None:
    async def lacking() -> list[str]:
        made = make()
        return [name for name in names.split() if not has(made, name)]

    assert asyncio.run(lacking()) == []


def has(made: Any, name: str) -> bool:
    try:
        attrgetter(name)(made)
    except AttributeError:
        return False
    return True
