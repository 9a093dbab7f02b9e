"""What a server of an older version leaves, as data for `test_web_upgrades.py`: run by hand, once for each version.

    git worktree add /tmp/old COMMIT
    python tests/old_server.py /tmp/old 2026-11-28

writes `data/upgrades/2026-11-28.db.xz` and `.json`: games going on by several rulesets, one of a person's own, one that
is over, and a table that waits. The server and the client are those of the older version.
"""

import asyncio
import json
import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data" / "upgrades"
PLAYED = {name: {"ruleset": {"id": name}} for name in ("cantonese", "riichi", "american", "sichuan")}
OWN = {
    "ruleset": {"name": "Our game", "text": "tilewright: 1\nkind: ruleset\nid: ours\nname: Ours\nextends: cantonese\n"}
}
ANSWERS = 25  # of the person, in each game


async def play(url: str) -> dict[str, Any]:
    """Play at each table; the person's key and the codes of the tables."""
    from web_client import FAST, PERSON, RANDOM, at_random, page

    tables: dict[str, str] = {}
    async with page(url, name="Ann") as ann:
        for name, spec in {**PLAYED, "finished": {**PLAYED["cantonese"], "hands": 1}, "own": OWN}.items():
            is_whole, given, choose = name == "finished", [0], at_random(len(tables))
            table = await ann.make(spec, [PERSON, *3 * [FAST if is_whole else RANDOM]], sit=0)

            def answer(question: Any, given: list[int] = given, choose: Any = choose) -> Any:
                given[0] += 1
                return choose(question)

            await table.play(lambda given=given, is_whole=is_whole: given[0] >= ANSWERS and not is_whole, answer)
            tables[name] = table.code
        tables["waiting"] = (await ann.make(PLAYED["cantonese"], [PERSON, PERSON, FAST, FAST], sit=0)).code
        return {"key": ann.key, "tables": tables}


def main(tree: Path, day: str) -> None:
    sys.path[:0] = [str(tree / "tests"), str(tree / "engine")]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        words = [sys.executable, "-m", "tilewright", "serve", "--port", "0", "--database", str(file)]
        surroundings = {**os.environ, "PYTHONPATH": str(tree / "engine"), "TILEWRIGHT_CACHE": folder}
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=surroundings, cwd=tree) as server:
            assert server.stdout is not None
            url = server.stdout.readline().split()[2]
            made = asyncio.run(play(f"{url.replace('http', 'ws')}/socket"))
            server.terminate()
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("VACUUM")
        (DATA / f"{day}.db.xz").write_bytes(lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    (DATA / f"{day}.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2])
