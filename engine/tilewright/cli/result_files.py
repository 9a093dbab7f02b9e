"""Files of results and of columns: rows in, a JSONL or a Parquet file out, by its ending; columns of hands scored.

A file of lines grows as the games are played and never holds half a line; one of columns appears whole at the end. A
file of hands in columns is scored some thousand rows at a time (docs/many-hands.md). Knows no game and no rule.
"""

import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from io import RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.base.files import draft_of
from tilewright.cli.command import FINE
from tilewright.cli.output import opened
from tilewright.scoring.rules import ScoringRules

STDOUT = "-"
LINES, COLUMNS = (".jsonl", ".ndjson"), (".parquet", ".pq")
ROWS = 10_000  # of a file of columns that are held before they are written


class ResultFile(Protocol):
    """Where results go."""

    def write(self, lines: Sequence[str]) -> None: ...


@contextmanager
def results_to(file: str | None, measures: Sequence[str]) -> Iterator[ResultFile]:
    """Where the lines of hands go: a file, stdout, or nowhere. `measures`: the values of a hand. Whatever happens,
    everything written so far is kept. Raises CannotBegin for a file that cannot be written."""
    if file is None:
        yield Nowhere()
    elif file == STDOUT:
        yield LinesFile(sys.stdout.buffer)
    elif is_columns(file):
        with columns_file(usable(file), measures) as results:
            yield results
    else:
        with usable(file).open("wb", buffering=0) as stream:
            yield LinesFile(stream)


def is_columns(file: str) -> bool:
    """Whether the file holds columns; other formats than columns and lines are refused."""
    path = Path(file)
    ending = path.suffix.lower()
    if ending in COLUMNS:
        return True
    if ending not in LINES and not is_device(path) and not path.is_dir():
        hint = f"for instance {path.stem}.jsonl or {path.stem}.parquet; - is stdout"
        raise CannotBegin(f"{file}: the ending of the file is not that of a format for results", hint)
    return False


def is_device(path: Path) -> bool:
    """Whether the path exists and is neither a file nor a folder."""
    with suppress(OSError):
        mode = path.stat().st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def usable(file: str) -> Path:
    """The file as a path in an existing folder."""
    path = Path(file)
    if path.is_dir():
        raise CannotBegin(f"{file} is a folder", f"for instance {path / 'results.jsonl'}")
    if not path.resolve().parent.is_dir():
        raise CannotBegin(f"there is no folder {path.parent}")
    return path


class Nowhere:
    """Results are counted and not kept."""

    def write(self, lines: Sequence[str]) -> None:
        pass


class LinesFile:
    """A file of lines of JSON. A line that is written in part is taken back: a disk may be full, a user impatient."""

    def __init__(self, stream: RawIOBase | BinaryIO) -> None:
        self.stream = stream
        self.written = 0

    def write(self, lines: Sequence[str]) -> None:
        content = "".join(f"{line}\n" for line in lines).encode()
        left = memoryview(content)
        try:
            while left:
                left = left[self.stream.write(left) or 0 :]
            self.stream.flush()
        except BaseException:
            self.written += content.rfind(b"\n", 0, len(content) - len(left)) + 1
            self.take_back()
            raise
        self.written += len(content)

    def take_back(self) -> None:
        """Cut the file off behind its last whole line."""
        with suppress(OSError, ValueError):
            os.ftruncate(self.stream.fileno(), self.written)


# --- columns


@contextmanager
def columns_file(path: Path, measures: Sequence[str]) -> Iterator[ResultFile]:
    """A file of columns, which is put in place when all is written."""
    # they come with an extra
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    broken: BaseException | None = None
    with draft_of(path) as draft:
        schema = schema_of(arrow, measures)
        with parquet.ParquetWriter(draft, schema) as writer:
            results = ColumnsFile(arrow, writer, schema)
            try:
                yield results
            except BaseException as error:
                broken = error
            results.flush()
    if broken is not None:
        raise broken


class ColumnsFile:
    """Rows are held until there are enough of them."""

    def __init__(self, arrow: Any, writer: Any, schema: Any) -> None:
        self.arrow, self.writer, self.schema = arrow, writer, schema
        self.rows: list[dict[str, Any]] = []

    def write(self, lines: Sequence[str]) -> None:
        self.rows += map(json.loads, lines)
        if len(self.rows) >= ROWS:
            self.flush()

    def flush(self) -> None:
        if self.rows:
            self.writer.write_table(self.arrow.Table.from_pylist(self.rows, self.schema))
            self.rows.clear()


def schema_of(arrow: Any, measures: Sequence[str]) -> Any:
    """The columns of a row, as `tilewright.players.simulation.rows` has them."""
    whole, number, text = arrow.int64(), arrow.float64(), arrow.string()
    pattern = arrow.struct([("id", text), ("worth", number), ("times", number)])
    win = arrow.struct(
        [
            ("player", whole),
            ("seat", whole),
            ("kind", text),
            ("tile", text),
            ("discarder", whole),
            ("total", number),
            ("values", arrow.struct([(measure, number) for measure in measures])),
            ("form", text),
            ("patterns", arrow.list_(pattern)),
        ]
    )
    offer = arrow.struct([("id", text), ("offered", whole), ("taken", whole)])
    return arrow.schema(
        [
            ("game", whole),
            ("hand", whole),
            ("seed", whole),
            ("ended", text),
            ("seats", arrow.list_(whole)),
            ("winners", arrow.list_(win)),
            ("gains", arrow.list_(number)),
            ("scores", arrow.list_(number)),
            ("draws", whole),
            ("decisions", whole),
            ("last", arrow.bool_()),
            ("problems", arrow.list_(text)),
            ("error", text),
            ("offers", arrow.list_(offer)),
        ]
    )


# --- columns of hands


ROWS_AT_ONCE = 1 << 16  # that are read and scored at once
COLUMNS_HELP = "docs/many-hands.md has the columns"


def score_columns(ruleset: str, choices: RulesChoice, file: str, out: str | None) -> int:
    """Score every row of the file. Raises CannotBegin."""
    if out is None or not is_columns(out):
        raise CannotBegin("scores of columns are columns, too", f"--out {Path(file).stem}_scores.parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")  # they come with an extra
    rules, target = open_rules(ruleset, choices), usable(out)
    stream = opened(file)
    try:
        source = parquet.ParquetFile(stream)
    except (OSError, arrow.ArrowException) as error:
        raise CannotBegin(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    with stream, source, tempfile.TemporaryDirectory(dir=target.resolve().parent, prefix=".") as folder:
        made, writer = Path(folder) / target.name, None
        for table in scores_of(rules, source, arrow):
            writer = writer or parquet.ParquetWriter(made, table.schema)
            writer.write_table(table)
        if writer is None:
            raise CannotBegin(f"{file} has no rows")
        writer.close()
        made.replace(target)
    return FINE


def scores_of(rules: ScoringRules, source: Any, arrow: Any) -> Iterator[Any]:
    """The scores of some rows after the other, as tables; all numbers are doubles."""
    from tilewright.scoring.batch import HandBatch, WrongRow

    done = 0
    for rows in source.iter_batches(ROWS_AT_ONCE):
        try:
            scores = rules.score_many(HandBatch.from_table(arrow.Table.from_batches([rows]))).to_table()
        except WrongRow as error:
            raise CannotBegin(f"row {done + error.row + 1}: {error.why}", COLUMNS_HELP) from None
        except (ValueError, TypeError, arrow.ArrowException) as error:
            raise CannotBegin(f"rows {done + 1} to {done + len(rows)}: {error}", COLUMNS_HELP) from None
        double = [
            field.with_type(arrow.float64()) if arrow.types.is_integer(field.type) else field for field in scores.schema
        ]
        done += len(rows)
        yield scores.cast(arrow.schema(double))
