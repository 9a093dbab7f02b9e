"""PyPI `mahjong` and `riichienv` as peers (`peers.py`): a case of riichi a line in, what both say of it out.

Runs in the environment of the peers and knows nothing of tilewright. A case is scored with `rules`, the options of the
ruleset that the peers know too, by the `peers` that it names. Answers: {peer: {han, fu, gain, yaku} or {error}}; `gain`
is what the winner gets, counters included.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.meld import Meld

SUITS, WINDS, HONOURS = "mps", "ESWN", "ESWNPFC"
RED = (16, 52, 88)
Case = dict[str, Any]


def numbers() -> dict[str, list[int]]:
    """The numbers of each tile, red fives apart, in both programs."""
    free: dict[str, list[int]] = {}
    for number in range(136):
        kind = number // 4
        code = HONOURS[kind - 27] if kind >= 27 else f"{0 if number in RED else kind % 9 + 1}{SUITS[kind // 9]}"
        free.setdefault(code, []).append(number)
    return free


def kind_of(code: str) -> int:
    """The number of the first copy of a tile."""
    return numbers()[code][0] // 4 * 4


class Dealt:
    """The tiles of a case in numbers. `melds`: tiles and whether they lie open."""

    def __init__(self, case: Case) -> None:
        free = numbers()
        self.melds = [
            (sorted(free[tile].pop() for tile in meld["tiles"]), not meld["concealed"]) for meld in case["melds"]
        ]
        self.hand = [free[tile].pop() for tile in case["hand"]]
        self.win = free[case["win_tile"]].pop()
        self.indicators, self.under = (
            [kind_of(tile) + 1 for tile in case["zones"][zone]] for zone in ("dora_indicators", "ura_indicators")
        )


def is_run(tiles: list[int]) -> bool:
    return tiles[0] // 4 != tiles[1] // 4


def by_mahjong(case: Case) -> dict[str, Any]:
    dealt, flags, rules = Dealt(case), case["flags"], case["rules"]
    drawn, dealer = case["self_draw"], case["seat_wind"] == "E"
    melds = [
        Meld(Meld.KAN if len(tiles) == 4 else Meld.CHI if is_run(tiles) else Meld.PON, tiles, opened=is_open)
        for tiles, is_open in dealt.melds
    ]
    options = OptionalRules(
        has_open_tanyao=rules["open_tanyao"],
        has_aka_dora=True,
        has_double_yakuman=rules["double_yakuman"],
        kazoe_limit=HandConstants.KAZOE_LIMITED if rules["kazoe_yakuman"] else HandConstants.KAZOE_SANBAIMAN,
        kiriage=rules["kiriage_mangan"],
        renhou_as_yakuman=rules["renhou"] == "yakuman",
        limit_to_sextuple_yakuman=True,
    )
    config = HandConfig(
        is_tsumo=drawn,
        is_riichi="riichi" in flags and "double_riichi" not in flags,
        is_daburu_riichi="double_riichi" in flags,
        is_ippatsu="ippatsu" in flags,
        is_haitei="last_tile" in flags and drawn,
        is_houtei="last_tile" in flags and not drawn,
        is_rinshan="kong_replacement" in flags,
        is_chankan="robbing_kong" in flags,
        is_tenhou="first_draw" in flags and drawn and dealer,
        is_chiihou="first_draw" in flags and drawn and not dealer,
        is_renhou="first_draw" in flags and not drawn and not dealer and rules["renhou"] != "nothing",
        player_wind=27 + WINDS.index(case["seat_wind"]),
        round_wind=27 + WINDS.index(case["round_wind"]),
        tsumi_number=case["marks"]["honba"],
        options=options,
    )
    found = HandCalculator.estimate_hand_value(
        [*dealt.hand, dealt.win, *(tile for tiles, _ in dealt.melds for tile in tiles)],
        dealt.win,
        melds=melds,
        dora_indicators=dealt.indicators,
        ura_dora_indicators=dealt.under if "riichi" in flags else None,
        config=config,
    )
    if found.error is not None:
        return {"error": found.error}
    yaku = [str(one) for one in found.yaku or ()]
    return {"han": found.han, "fu": found.fu, "gain": found.cost["total"] if found.cost else 0, "yaku": yaku}


def by_riichienv(case: Case) -> dict[str, Any]:
    dealt, flags = Dealt(case), case["flags"]
    drawn, dealer = case["self_draw"], case["seat_wind"] == "E"
    kinds = riichienv.MeldType
    melds = []
    for tiles, is_open in dealt.melds:
        kind = kinds.Chi if is_run(tiles) else kinds.Pon
        if len(tiles) == 4:
            kind = kinds.Daiminkan if is_open else kinds.Ankan
        melds.append(riichienv.Meld(kind, tiles, is_open, 1 if is_open else -1))
    conditions = riichienv.Conditions(
        tsumo=drawn,
        riichi="riichi" in flags,
        double_riichi="double_riichi" in flags,
        ippatsu="ippatsu" in flags,
        haitei="last_tile" in flags and drawn,
        houtei="last_tile" in flags and not drawn,
        rinshan="kong_replacement" in flags,
        chankan="robbing_kong" in flags,
        tsumo_first_turn="first_draw" in flags and drawn,
        player_wind=WINDS.index(case["seat_wind"]),
        round_wind=WINDS.index(case["round_wind"]),
        honba=case["marks"]["honba"],
    )
    found = riichienv.HandEvaluator(sorted(dealt.hand), melds).calc(
        dealt.win, dealt.indicators, conditions, dealt.under if "riichi" in flags else []
    )
    if not found.is_win:
        return {"error": "no_yaku" if found.has_win_shape else "no win"}
    gain = found.ron_agari
    if drawn:
        gain = 3 * found.tsumo_agari_ko if dealer else found.tsumo_agari_oya + 2 * found.tsumo_agari_ko
    return {"han": found.han, "fu": found.fu, "gain": gain, "yaku": [one.name_en for one in found.yaku_list()]}


PEERS = {"mahjong": by_mahjong, "riichienv": by_riichienv}


def answers() -> Iterator[str]:
    for line in sys.stdin:
        case = json.loads(line)
        yield json.dumps({peer: PEERS[peer](case) for peer in case["peers"]})


if __name__ == "__main__":
    for answer in answers():
        print(answer, flush=True)
