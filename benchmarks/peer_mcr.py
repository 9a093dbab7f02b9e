"""PyPI `PyMahjongGB` as a peer (`peers.py`): a case of MCR a line in, what it says of the hand out.

Runs in the environment of the peers and knows nothing of tilewright. Beside the case it is told `last_copy`: whether
the winning tile is the last of its kind. Answers: {patterns: {name: [times, worth once]}}, or {error}.
"""

import json
import sys
from typing import Any

from MahjongGB import MahjongFanCalculator

WINDS, DRAGONS, SUITS = "ESWN", "CFP", {"m": "W", "p": "B", "s": "T"}


def code(tile: str) -> str:
    """A tile as the peer writes it."""
    if tile in WINDS:
        return f"F{WINDS.index(tile) + 1}"
    return f"J{DRAGONS.index(tile) + 1}" if tile in DRAGONS else SUITS[tile[1]] + tile[0]


def pack(meld: dict[str, Any]) -> tuple[str, str, int]:
    """A meld: its kind, its tile (the middle one of a chow), whether somebody else gave a tile to it."""
    tiles = meld["tiles"]
    kind = "GANG" if len(tiles) == 4 else "PENG" if tiles[0] == tiles[1] else "CHI"
    return kind, code(tiles[1]), int(not meld["concealed"])


def answer(case: dict[str, Any]) -> dict[str, Any]:
    flags = case["flags"]
    try:
        found = MahjongFanCalculator(
            pack=tuple(map(pack, case["melds"])),
            hand=tuple(map(code, case["hand"])),
            winTile=code(case["win_tile"]),
            flowerCount=len(case["bonus"]),
            isSelfDrawn=case["self_draw"],
            is4thTile=case["last_copy"],
            isAboutKong="robbing_kong" in flags or "kong_replacement" in flags,
            isWallLast="last_tile" in flags,
            seatWind=WINDS.index(case["seat_wind"]),
            prevalentWind=WINDS.index(case["round_wind"]),
            verbose=True,
        )
    except TypeError as error:
        return {"error": str(error)}
    return {"patterns": {name: [times, worth] for worth, times, _, name in found}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
