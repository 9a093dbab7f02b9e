"""What the first page shows of rulesets: tiles that are typical of each, and a hand of one that bots play.

The hand is the same each time, since its seed is. Knows no request.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.levels import bot
from tilewright.presentation.markup import written
from tilewright.presentation.tile_shapes import Drawing, drawings, drawings_in
from tilewright.presentation.tile_svg import sprite_of
from tilewright.web.jobs.offered import rulesets_json
from tilewright.web.jobs.session import WorkerSession
from tilewright.web.protocol.moments import ALL
from tilewright.web.protocol.spec import read_spec, rules_of
from tilewright.web.protocol.view_parts import changed, parts_of

Plain = dict[str, Any]

BOT, SEED = "fast", 5
SKIPPED = 0.45  # of a hand, until there is something to see
MOST_STEPS = 80


def strips(payload: Plain) -> Plain:
    """The typical tiles of every ruleset, drawn in the style `set`, with codes of their own; faces that look alike are
    one tile."""
    codes: dict[Drawing, str] = {}
    found: dict[str, list[str]] = {}
    for one in rulesets_json():
        faces = {drawing.code: replace(drawing, code="") for drawing in drawings(load(one["id"]).data.tiles)}
        found[one["id"]] = [codes.setdefault(faces[code], str(len(codes))) for code in one["profile"]["tiles"]]
    sprite = sprite_of((replace(face, code=code) for face, code in codes.items()), str(payload.get("set")))
    return {"sprite": written(sprite), "strips": found}


def faces(payload: Plain) -> str:
    """The sprite of `tiles`, as rules for pages have them, in the style `set`."""
    return written(sprite_of(drawings_in(payload["tiles"]), str(payload.get("set"))))


def showcase(payload: Plain) -> Plain:
    """The second half of a hand of `spec` that bots play, as spectators see it: the parts of its first view, then those
    that change."""
    rules = rules_of(read_spec(payload.get("spec")))
    views = [parts_of(view) for view in played(rules)]
    views = views[int(len(views) * SKIPPED) :][:MOST_STEPS]
    steps = [views[0], *(changed(before, now) for before, now in pairwise(views))]
    return {"digest": rules.data.text_digest, "steps": [step for step in steps if step]}


def played(rules: Rules) -> Iterator[Plain]:
    """The views of a hand, up to its end."""
    session = WorkerSession(game := rules.game(SEED, hands=1, pausing=True))
    session.viewers = {ALL: None}
    bots = [bot(BOT, rules, SEED) for _ in session.game.program.everyone]
    while True:
        for moment in session.moments():
            if moment.ends or game.over:
                return
            yield moment.views[ALL]
        seat = game.asked[0]
        game.answer(bots[game.player(seat)].choose(View(game, seat)))
