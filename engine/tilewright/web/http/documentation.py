"""The documentation as a site, at /docs: the files that `make site` builds, where they are. Knows no table."""

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tilewright.language.documents.bundled import data_folder
from tilewright.web.http.middleware import POLICY
from tilewright.web.http.static_files import ASK_AGAIN, Statics, files_below, sent

INDEX = "index.html"
MOST_PAGES = 1_000  # whose scripts are remembered
SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
MISSING = "The documentation is not part of this installation. In a copy of Tilewright, `make site` builds it.\n"


def site() -> Statics:
    """The files of the site; none where it was not built."""
    return Statics(lambda: files_below(data_folder("site")))


async def documentation(request: Request) -> Response:
    """A page or file of the site."""
    statics: Statics = request.app.state.site
    files = (await statics.look()).files
    path = request.path_params.get("path") or INDEX
    file, _ = statics.find(path)
    if file is None and INDEX not in files:
        return Response(MISSING, 404, media_type="text/plain")
    if file is None:
        return Response("there is no such page\n", 404, media_type="text/plain")
    response = await sent(request, statics, file, ASK_AGAIN)
    if scripts := scripts_of(file.content, file.kind):
        response.headers["content-security-policy"] = f"{POLICY}; script-src 'self' {' '.join(scripts)}"
    return response


@lru_cache(maxsize=MOST_PAGES)
def scripts_of(content: bytes, kind: str) -> list[str]:
    """The hashes of the scripts that stand in a page, which may run besides the server's own."""
    found = SCRIPT.findall(content) if kind == "text/html" else []
    return [f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in found]


async def front(request: Request) -> Response:
    """The front page, whose links are relative to its folder."""
    return RedirectResponse("/docs/")


ROUTES: list[BaseRoute] = [
    Route("/docs", front, methods=["GET"]),
    Route("/docs/{path:path}", documentation, methods=["GET"]),
]
