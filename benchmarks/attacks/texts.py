"""Attacks with texts: names, documents and rules that take long to read."""

from attacks.attacker import Attacker, attack

OWN = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"


@attack(each=4)
async def rules(attacker: Attacker) -> None:
    """Rules that nobody else has, to fill what is cached."""
    text = f"{OWN}# {attacker.address} {attacker.next()} {'x' * 100_000}\n"
    await attacker.ask("POST", "/api/rulebook", {"spec": {"ruleset": {"name": "mine", "text": text}}})
