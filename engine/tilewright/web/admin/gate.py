"""Gates: who may pass with which secret token. Misses count by address. Knows nothing behind them."""

import hmac
import logging

from starlette.requests import Request

from tilewright.presentation.catalogue import translations
from tilewright.web.http.bodies import BEARER
from tilewright.web.limits.rates import AddressBuckets, address_of
from tilewright.web.protocol import refusals
from tilewright.web.protocol.refusals import Refused

LOG = logging.getLogger("tilewright")
MISSES, SECONDS = 5, 60.0  # wrong tokens at once from an address, and until another one may be tried


class Gate:
    """A gate that opens for `Authorization: Bearer TOKEN`. Without a token there is nothing behind it."""

    def __init__(self, token: str | None) -> None:
        self.token = token
        self.misses = AddressBuckets(1 / SECONDS, MISSES)

    def check(self, request: Request) -> None:
        """Raises Refused: 404 without a token of the server, 401 for a wrong one, 429 after too many of them."""
        if self.token is None:
            raise Refused("unknown", translations("server.nothing_here"), 404)
        header = request.headers.get("authorization", "")
        if not header.lower().startswith(BEARER):
            raise wrong_token()
        address = address_of(request.scope)
        if not self.misses.take(address):
            raise refusals.too_fast()
        if not hmac.compare_digest(header[len(BEARER) :].strip().encode(), self.token.encode()):
            LOG.warning("a wrong token for %s from %s", request.url.path, address)
            raise wrong_token()
        self.misses.forget(address)


def wrong_token() -> Refused:
    return Refused("wrong-token", translations("server.wrong_token"), 401)
