"""Records: every part has a name, a place and a width of its own; what follows from them."""

import sys
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

from tilewright.base.records import Record, Sight

LAYOUTS = ("play.compiled.kernel.layout", "players.compiled.kernel.layout", "players.learning.kernel.layout")


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_part_has_its_own_name_and_place(name: str) -> None:
    layout = import_module(f"tilewright.{name}")
    records = [one for one in vars(layout).values() if isinstance(one, Record) and one.module == layout.__name__]
    assert records
    for record in records:
        end = int(record.fields[0])
        assert [*record.named.values()] == record.fields
        for field in record.fields:
            assert (int(field), field.width > 0) == (end, True), field.meaning
            assert field.meaning
            end += field.width
        assert end == record.size


def test_what_follows_from_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = ModuleType("layout_of_a_table")
    monkeypatch.setitem(sys.modules, layout.__name__, layout)
    record = Record(layout.__name__, 2)
    layout.TURN = record.number("whose turn it is", seen=Sight.EVERYONE)  # type: ignore[attr-defined]
    layout.DRAWN = record.part((3,), "the tile drawn", -1, Sight.OWNER)  # type: ignore[attr-defined]
    layout.COUNT = record.part((3, 4), "how many are held", -1, Sight.OWNER)  # type: ignore[attr-defined]
    layout.SEED = record.number("the seed", None)  # type: ignore[attr-defined]
    assert [*map(int, record.fields), record.size] == [2, 3, 6, 18, 19]
    assert record.beginnings == (2, 3, 0, 3, 18, -1)
    numbers = np.full(record.size, -1, np.int64)
    numbers[2], numbers[18] = 0, 7
    layout.COUNT.of(numbers)[1] = 1, 2, 3, 4
    assert numbers[10:14].tolist() == [1, 2, 3, 4]
    assert record.text(numbers).splitlines() == [
        "COUNT (how many are held): -1 -1 -1 -1 1 2 3 4 -1 -1 -1 -1",
        "SEED (the seed): 7",
    ]
    assert record.text(numbers, frozenset({Sight.EVERYONE})) == ""


def test_two_parts_of_one_name_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = ModuleType("layout_of_another")
    monkeypatch.setitem(sys.modules, layout.__name__, layout)
    record = Record(layout.__name__)
    layout.SCORES = record.number("the scores")  # type: ignore[attr-defined]
    layout.SCORES = record.number("whether they count")  # type: ignore[attr-defined]
    with pytest.raises(NameError, match="no name of its own: the scores"):
        _ = record.named
