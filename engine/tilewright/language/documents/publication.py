"""Heads: what a document says of its publication: publisher, version, license, authors. A document in, the problems of
them out, and of the versions that it asks for. Knows no files.
"""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.base.spelling import closest
from tilewright.language.documents.packs import range_problems, version_of

MOST_AUTHOR = 100  # characters
USUAL = ("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "MIT", "Apache-2.0")


def check_head(document: Mapping) -> Iterator[Problem]:
    """The problems of a document's publication that its schema cannot see."""
    version = document.get("version")
    if isinstance(version, Scalar) and isinstance(version.value, str) and version_of(version.value) is None:
        yield bad_version(version)
    license = document.get("license")
    if isinstance(license, Scalar) and isinstance(license.value, str):
        yield from license_problems(license)
    if "publisher" in document.entries and "version" not in document.entries:
        yield Problem(
            "missing-key",
            "'version' is missing: what has a publisher has a version",
            document.key("publisher").place,
            "version: 1.0.0",
        )
    for author in scalars(document.get("authors")):
        if not 0 < len(author.text.strip()) <= MOST_AUTHOR:
            yield Problem("bad-author", f"an author is a name of at most {MOST_AUTHOR} characters", author.place)
    yield from range_problems(names_of_documents(document))


def names_of_documents(document: Mapping) -> Iterator[Scalar]:
    """Everything in a document that may name one of a pack."""
    yield from scalars(document.get("extends"))
    yield from scalars(document.get("needs"))
    for part in (document, *cases_in(document)):
        targets = part.get("for")
        for target in targets.items if isinstance(targets, Sequence) else (targets,):
            yield from scalars(target.get("only") if isinstance(target, Mapping) else target)
    presets = document.get("presets")
    for _, preset in presets.items() if isinstance(presets, Mapping) else ():
        yield from scalars(preset.get("mods") if isinstance(preset, Mapping) else None)


def cases_in(document: Mapping) -> Iterator[Mapping]:
    """The cases that a document writes down, of a mod those that it changes and adds."""
    for part in (document, document.get("change"), document.get("add")):
        cases = part.get("cases") if isinstance(part, Mapping) else None
        for _, case in cases.items() if isinstance(cases, Mapping) else ():
            if isinstance(case, Mapping):
                yield case


def scalars(node: Node | None) -> Iterator[Scalar]:
    """The text, or the texts of a list."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        yield node
    elif isinstance(node, Sequence):
        yield from (item for item in node.items if isinstance(item, Scalar) and isinstance(item.value, str))


def license_problems(node: Scalar) -> Iterator[Problem]:
    """The problems of a licence, which is an expression of SPDX identifiers."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        canonical = canonicalize_license_expression(node.text)
    except InvalidLicenseExpression:
        yield unknown_license(node)
        return
    if canonical != node.text:
        yield Problem("unknown-license", f"{node.text!r} is written {canonical}", node.place, f"license: {canonical}")


# --- problems


def bad_version(node: Scalar) -> Problem:
    return Problem(
        "bad-version",
        f"{node.text!r} is not a version",
        node.place,
        "three numbers: 1.2.0; the first for rules that change, the second for additions, the third for corrections",
    )


def unknown_license(node: Scalar) -> Problem:
    close = closest(node.text, USUAL)
    way_out = f"did you mean {close}? " if close else f"there is {', '.join(USUAL)} and others of spdx.org/licenses; "
    return Problem(
        "unknown-license",
        f"{node.text!r} is no licence identifier of SPDX",
        node.place,
        f"{way_out}terms of your own are LicenseRef-NAME",
    )
