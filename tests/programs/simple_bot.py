"""A bot that knows nothing of tilewright: it reads lines of JSON and writes one for each question.

It wins when it can, never claims, and throws away a tile that it has only once.
"""

import json
import sys


def answer(question, hand):
    moves = question["moves"]
    for move in moves:
        if move["move"] == "win":
            return move
    for pick in question["picks"]:
        tiles = [*pick.get("allowed", []), " ".join(pick["tiles"][: pick["least"]])][0]
        return {**{name: text for name, text in pick.items() if name not in KEYS}, pick["choose"]: tiles}
    if moves[-1]["move"] == "pass":
        return moves[-1]
    throws = [move for move in moves if move["move"] == "discard"]
    alone = [move for move in throws if hand.count(move["tile"]) == 1]
    return (alone or throws or moves)[0]


KEYS = ("choose", "least", "most", "tiles", "allowed", "more")
for line in sys.stdin:
    told = json.loads(line)
    if told["message"] == "hello":
        print(json.dumps({"message": "hello", "protocol": 1, "name": "simple"}), flush=True)
    elif told["message"] == "ask":
        view = told["view"]
        found = answer(view["question"], view["zones"]["hand"][view["seat"]])
        print(json.dumps({"ask": told["ask"], **found}), flush=True)
