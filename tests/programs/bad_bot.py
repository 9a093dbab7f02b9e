"""A bot that misbehaves as its argument says: in how it starts, or from its second answer on."""

import json
import os
import sys
import time


def misbehave(way):
    if way == "no_json":
        print("my move is a secret \x1b[2J", flush=True)
    elif way == "no_object":
        print("[1, 2]", flush=True)
    elif way == "illegal":
        print(json.dumps({"ask": told["ask"], "move": "steal", "tile": "everything"}), flush=True)
    elif way == "other_question":
        print(json.dumps({"ask": told["ask"] - 1, **told["view"]["question"]["moves"][0]}), flush=True)
    elif way == "long_line":
        print("x" * 1_000_000, flush=True)
    elif way == "deep":
        print("[" * 10_000, flush=True)
    elif way == "babbles":
        while True:
            print("{}")
    elif way == "leaves":
        sys.exit(3)
    elif way == "closes":
        os.close(1)
        time.sleep(60)
    elif way == "sleeps":
        time.sleep(60)
    elif way == "deaf":
        sys.stdin.close()
        time.sleep(60)


way, answered = sys.argv[1], 0
if way == "says_nothing":
    time.sleep(60)
if way == "leaves_at_once":
    sys.exit(1)
for line in sys.stdin:
    told = json.loads(line)
    if told["message"] == "hello":
        version = 2 if way == "other_protocol" else 1
        print(json.dumps({"message": "good day" if way == "rude" else "hello", "protocol": version}), flush=True)
    elif told["message"] == "ask":
        answered += 1
        if answered > 1:
            misbehave(way)
        else:
            moves = told["view"]["question"]["moves"]
            print(json.dumps({"ask": told["ask"], **moves[0]}), flush=True)
