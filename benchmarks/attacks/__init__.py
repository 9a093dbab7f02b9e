"""Attacks: what clients do to stop a server. Each module has those of a kind, each of them a function with `@attack`.

from attacks.attacker import Attacker, attack

@attack(each=4)
async def long_names(attacker: Attacker) -> None:
    \"\"\"Names of 280 kB with combining marks.\"\"\"
    await attacker.ask("POST", "/api/documents", {"template": "ruleset", "name": "a" + "\u0301" * 140_000})

The function is called again and again, by so many clients at each address (`each`), until the attack ends. The first
line of its docstring is its title in the report.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
