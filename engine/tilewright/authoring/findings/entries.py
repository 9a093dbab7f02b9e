"""Entries of a YAML text: where a value is, and the text with another or a new one. Comments and layout stay.

Knows mappings, written as blocks or in braces, and no rules.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node

from tilewright.authoring.findings.flow import flow

Span = tuple[int, int]
INDENT = 2  # where a text has no block in a block
REST_OF_LINE = re.compile(r"[^\r\n]*")


def tree_of(text: str) -> Node:
    """The nodes of a text, with their places. Raises YAMLError."""
    tree: Node = YAML(typ="safe", pure=True).compose(text)
    return tree


def below(node: Node | None, path: Sequence[str]) -> Node | None:
    """The value at a path, if there is one."""
    for key in path:
        if not isinstance(node, MappingNode):
            return None
        node = next((value for name, value in node.value if name.value == key), None)
    return node


def end_of(node: Node) -> int:
    """Where a node ends: a block ends with the last value in it, not with the comments behind."""
    if isinstance(node, CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def span_of(node: Node) -> Span:
    """The characters of a node."""
    return int(node.start_mark.index), end_of(node)


def written(tree: Node, value: Any) -> str:
    """A value in one line, as the text of a tree would have it: in JSON as JSON."""
    return json.dumps(value, ensure_ascii=False, default=float) if is_json(tree) else flow(value)


def is_json(tree: Node) -> bool:
    return isinstance(tree, MappingNode) and bool(tree.flow_style and tree.value and tree.value[0][0].style == '"')


def with_value(text: str, path: Sequence[str], value: str, blocks: int) -> str:
    """The text with a value at a path, as it is written. `blocks`: how many keys of the path open blocks, where they
    are missing in a block; the others stand in braces."""
    tree = node = tree_of(text)
    depth = 0
    while depth < len(path) and (inner := below(node, path[depth : depth + 1])) is not None:
        node, depth = inner, depth + 1
    missing, opened = path[depth:], min(max(blocks - depth, 0), len(path) - depth - 1)
    if not missing or not isinstance(node, MappingNode):
        space = " " if text[node.start_mark.index - 1 : node.start_mark.index] == ":" else ""
        return spliced(text, span_of(node), space + nested(tree, missing, value))
    if node.flow_style and not node.value:
        return spliced(text, (node.start_mark.index + 1, node.start_mark.index + 1), entry(tree, missing, value))
    if node.flow_style:
        end = end_of(node.value[-1][1])
        return spliced(text, (end, end), f", {entry(tree, missing, value)}")
    column, step = node.value[0][0].start_mark.column, indent_of(tree)
    lines = [f"{' ' * (column + step * level)}{key}:" for level, key in enumerate(missing[:opened])]
    lines.append(f"{' ' * (column + step * len(lines))}{entry(tree, missing[opened:], value)}")
    return with_lines(text, end_of(node), lines)


def spliced(text: str, span: Span, becomes: str) -> str:
    return text[: span[0]] + becomes + text[span[1] :]


def with_lines(text: str, end: int, lines: Sequence[str]) -> str:
    """The text with lines below the line in which a block ends; one that ends with a block of text ends below it."""
    ends = "\r\n" if "\r\n" in text else "\n"
    if text[end - 1 : end] == "\n":
        return spliced(text, (end, end), "".join(line + ends for line in lines))
    found = REST_OF_LINE.match(text, end)
    end = found.end() if found is not None else end
    return spliced(text, (end, end), "".join(ends + line for line in lines))


def entry(tree: Node, path: Sequence[str], value: str) -> str:
    """One entry of a mapping: a key, and what is below it in braces."""
    return f"{written(tree, path[0])}: {nested(tree, path[1:], value)}"


def nested(tree: Node, path: Sequence[str], value: str) -> str:
    return f"{{{entry(tree, path, value)}}}" if path else value


def indent_of(tree: Node) -> int:
    """How far the first block in a block is indented."""
    for _, inner in tree.value:
        if isinstance(inner, MappingNode) and not inner.flow_style and inner.value:
            return int(inner.value[0][0].start_mark.column) - int(tree.start_mark.column)
    return INDENT
