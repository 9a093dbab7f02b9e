"""Plurals: an English plural in, its singular out. Knows no other language, and no words but by their endings."""

# Endings of plurals, and of words that look like plurals, the longest first.
ENDINGS = {
    "ches": "ch",
    "shes": "sh",
    "sses": "ss",
    "ies": "y",
    "xes": "x",
    "is": "is",
    "ss": "ss",
    "us": "us",
    "s": "",
}


def singular(name: str) -> str:
    """The singular of a plural; other names as they are."""
    ending = next((one for one in ENDINGS if name.endswith(one)), "")
    return name.removesuffix(ending) + ENDINGS.get(ending, "")
