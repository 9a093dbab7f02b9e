"""Rules, views, events and results of real tables have the shapes that tools/page/types/page.d.ts declares."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.player import bot
from tilewright.presentation.rules_data import about_json
from tilewright.web.jobs.rules import rulesets_json
from tilewright.web.jobs.session import WorkerSession, result_json

Plain = dict[str, Any]
RULESETS = ("riichi", "american", "sichuan", "uzje")  # which differ most in what a table shows
# Of an event, what the page looks at.
SHOWN = {"event", "told", "seat", "tiles", "self_draw", "discarder", "patterns", "total", "unit"}
EACH = 9  # of the moments, one is compared
HEADER = f"""/// <reference path="{ROOT}/tools/page/types/page.d.ts" />
/// <reference path="{ROOT}/tools/page/types/protocol.d.ts" />
// In `View`, a zone is either of both: those of the table are lists, those of seats are by seat.
type Sent = Omit<View, "zones"> & {{ zones: Record<string, Seen[] | Record<string, Seen[]>> }};
"""


@pytest.mark.long
def test_what_tables_send_has_the_declared_shapes(tmp_path: Path) -> None:
    samples = tmp_path / "samples.ts"
    parts = [("Offered", one) for one in rulesets_json()]
    for name in RULESETS:
        parts += [("About", about_json(load(name))), *played(load(name))]
    lines = (
        f"export const v{at}: {kind} = {json.dumps(value, ensure_ascii=False)};\n"
        for at, (kind, value) in enumerate(parts)
    )
    samples.write_text(HEADER + "".join(lines), encoding="utf-8")
    packages = ROOT / "tools/page/node_modules"
    (tmp_path / "tsconfig.json").write_text(
        json.dumps(
            {
                "extends": str(ROOT / "tsconfig.json"),
                "compilerOptions": {"paths": {"*": [f"{packages}/*"]}},
                "include": ["samples.ts"],
            }
        )
    )
    done = subprocess.run([packages / ".bin/tsc", "-p", tmp_path], capture_output=True, text=True, timeout=200)
    assert {kind for kind, _ in parts} == {"Offered", "About", "Sent", "Happened", "HandResult"}
    assert done.returncode == 0, done.stdout[:5000]


def played(rules: Rules) -> Iterator[tuple[str, Plain]]:
    """A hand that bots play, as its players see it: some views, every kind of event once, the result."""
    session = WorkerSession(game := rules.game(5, hands=1, pausing=True))
    bots = [bot("fast", rules, 5) for _ in game.program.everyone]
    told: set[str] = set()
    moments = 0
    while not game.over:
        for moment in session.moments():
            moments += 1
            if moments % EACH == 1 or moment.ends:
                yield from (("Sent", view) for view in moment.views.values())
            for event in (event for events in moment.events.values() for event in events):
                if event["event"] not in told:
                    told.add(event["event"])
                    yield "Happened", {key: event[key] for key in SHOWN & event.keys()}
        if game.asked:
            seat = game.asked[0]
            game.answer(bots[game.player(seat)].choose(View(game, seat)))
    yield from (("HandResult", result_json(game, result)) for result in game.results)
