"""A bot that speaks MJAI and knows nothing of tilewright: it discards what it draws, and wins when told that it may.

It reads arrays of events or single ones; an argument that is no number is a way to misbehave, from its third answer on.
"""

import json
import os
import sys
import time

player, way = 0, ""
for argument in sys.argv[1:]:
    if argument.isdigit():
        player = int(argument)
    else:
        way = argument
if way == "leaves_at_once":
    sys.exit(1)
for answered, line in enumerate(sys.stdin, 1):
    told = json.loads(line)
    last = (told if isinstance(told, list) else [told])[-1]
    player = last.get("id", player)
    reply = json.dumps({"type": "none"})
    wins = [one for one in last.get("possible_actions", []) if one["type"] == "hora"]
    if wins:
        reply = json.dumps(wins[0])
    elif last["type"] == "tsumo" and last["actor"] == player:
        reply = json.dumps({"type": "dahai", "actor": player, "pai": last["pai"], "tsumogiri": True})
    if answered > 2 and way == "sleeps":
        time.sleep(60)
    elif answered > 2 and way == "leaves":
        sys.exit(3)
    elif answered > 2 and way == "closes":
        os.close(1)
        time.sleep(60)
    elif answered > 2 and way == "babbles":
        while True:
            print("{}")
    elif answered > 2 and way:
        reply = {
            "no_json": "the drawn tile \x1b[2J",
            "no_object": "[1, 2]",
            "deep": "[" * 10_000,
            "long_line": "x" * 30_000,
            "illegal": json.dumps({"type": "dahai", "actor": player, "pai": "9z"}),
            "odd": json.dumps({"type": ["chi"], "consumed": {"a": [None]}, "pai": 7}),
        }[way]
    print(reply, flush=True)
