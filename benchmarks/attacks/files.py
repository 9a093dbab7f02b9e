"""Attacks with what many open: pages, files, one's own documents, and what rules of one's own do."""

from random import Random

from attacks.attacker import Attacker, attack

OWN = "tilewright: 1\nkind: ruleset\nid: own_{0}\nname: Mine\nextends: cantonese\n# {1}\n"
SIZE, DOCUMENTS = 200_000, 40  # characters of each; so many at one address
PATHS = ("/", "/t/NOBODY", "/nowhere", "/replays", "/worker.js", "/api/nowhere", "/docs/")
FILES = (
    "/static/js/main.js",
    "/static/css/table.css",
    "/static/messages/en/table.json",
    "/static/none",
    "/static/~0/x",
)
ENCODINGS = ("br", "gzip", "identity", "gzip, br")
ALIKE = "\n".join(Random(1).choices([f"# {number}" for number in range(40)], k=25_000))


@attack(each=15)
async def pages(attacker: Attacker) -> None:
    """Pages, also at addresses where there are none."""
    number = attacker.next()
    await attacker.ask("GET", PATHS[number % len(PATHS)], accept_encoding=ENCODINGS[number % len(ENCODINGS)])


@attack(each=15)
async def files(attacker: Attacker) -> None:
    """Files of the page, in every encoding."""
    number = attacker.next()
    await attacker.ask("GET", FILES[number % len(FILES)], accept_encoding=ENCODINGS[number % len(ENCODINGS)])


@attack(each=8)
async def shelf(attacker: Attacker) -> None:
    """A shelf of large texts, listed and searched for sixteen names."""
    if (number := attacker.next()) <= DOCUMENTS:
        await attacker.ask("POST", "/api/documents", {"text": OWN.format(number, "x" * SIZE)})
    await attacker.ask("GET", "/api/documents")
    names = ", ".join(f"own_{(number + other) % (2 * DOCUMENTS)}" for other in range(16))
    text = f"tilewright: 1\nkind: mod\nid: mine\nname: Mine\nfor: [cantonese]\nneeds: [{names}]\n"
    await attacker.ask("POST", "/api/workshop/check", {"text": text})


@attack(each=4)
async def own_rules(attacker: Attacker) -> None:
    """What rules do that are a copy of bundled ones, with lines that take long to compare."""
    text = OWN.format(attacker.next(), ALIKE)
    await attacker.ask("POST", "/api/own-rules", {"spec": {"ruleset": {"name": "mine", "text": text}}})
