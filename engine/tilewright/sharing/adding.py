"""Adding and updating: packs and what is there in; the new lock and the folders of its packs out.

A folder has one version of each pack. Packs that others need come from the same index, or are given together. Nothing
is written before all of it is known to fit.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.locked_packs import Lock, LockedPack, files_in, read_lock, write_lock
from tilewright.language.documents.packs import (
    ANY,
    LOCK,
    PACKS,
    Reference,
    checked_range,
    fits,
    folder_of,
    lock_for,
    reference_of,
)
from tilewright.sharing.archive import (
    WHAT_IS_ADDED,
    Fetched,
    Say,
    beside,
    fetch_pack,
    fetch_text,
    is_address,
    read_archive,
    relative_source,
)
from tilewright.sharing.contents import MOST_BYTES as MOST_INDEX
from tilewright.sharing.contents import PackContents, PackIndex, best, order_of, read_index

MOST_PACKS = 256  # of a folder
ROUNDS = 64  # of choosing versions
How = Literal["added", "kept", "restored", "updated"]


@dataclass(frozen=True, slots=True)
class NewPack:
    """A pack that was fetched, as the lock will have it."""

    pack: PackContents
    locked: LockedPack
    from_folder: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """What happened to a pack: its version before, None for a new one, and now. `restored`: its files were not those of
    the lock."""

    name: str
    how: How
    before: str | None
    now: str


@dataclass
class PackFolder:
    """The packs of a folder. `root`: where the lock lies; `here`: where sources are named from; `say`: for notes on
    sources; `least`: the versions that an update does not go behind."""

    root: Path
    here: Path
    lock: Lock
    say: Say = lambda _: None
    least: Mapping[str, str] = field(default_factory=dict)
    indexes: dict[str, PackIndex] = field(default_factory=dict)

    @staticmethod
    def open(here: Path, say: Say = lambda _: None) -> "PackFolder":
        """The packs for documents of a folder: those of the lock beside them or above, none yet if there is no lock.
        Raises RulesetError."""
        path = lock_for(here, lambda _: True)
        root = path.parent if path is not None else here
        return PackFolder(root, here, read_lock(path) if path is not None else Lock(), say)

    # --- add

    def add(self, wanted: Sequence[str], index: str | None = None) -> list[Changed]:
        """Add packs: files, folders, addresses, or names with ranges that are in the index. Raises RulesetError,
        CannotBegin."""
        source = self.source_of(index) if index is not None else None
        new: dict[str, NewPack] = {}
        asked: dict[str, Reference] = {}
        for text in wanted:
            meant = reference_of(text) if not (self.here / text).exists() else None
            if meant is not None:
                checked_range(meant, None)
                asked[meant.name] = meant
            else:
                if not is_address(text) and not (self.here / text).exists():
                    raise CannotBegin(f"there is no pack {text}", WHAT_IS_ADDED)
                found = self.fetched(self.source_of(text))
                new[found.pack.manifest.name] = found
        for name, meant in asked.items():
            if source is None and self.index_of(name) is None:
                raise CannotBegin(
                    f"{meant} is the name of a pack, and no index was given to look it up",
                    f"tilewright add {meant.asked} --index URL, or tilewright add FILE.zip",
                )
        for name, one in new.items():
            if (old := self.lock.packs.get(name)) is not None:
                check_contents(name, old, one)
        ranges = {name: "" if one.range == ANY else one.range for name, one in asked.items()}
        return self.settle(new, ranges, source)

    def source_of(self, source: str) -> str:
        """A source as the lock names it."""
        return relative_source(source, self.here, self.root)

    def index_of(self, name: str) -> str | None:
        """The index that a pack that is there came from."""
        found = self.lock.packs.get(name)
        return found.index or None if found is not None else None

    def fetched(self, source: str, range: str | None = None) -> NewPack:
        """The pack that a source gives. `range`: as asked for; by default what is compatible with its version."""
        return self.new_pack(fetch_pack(source, self.root, self.say), source, "", range)

    def new_pack(self, fetched: Fetched, source: str, index: str, range: str | None) -> NewPack:
        try:
            pack = read_archive(fetched.content)
        except RulesetError as error:
            raise RulesetError([named(one, source) for one in error.problems]) from None
        manifest = pack.manifest
        locked = LockedPack(
            version=manifest.version,
            range=range or f"^{manifest.version}",
            source=source,
            index=index,
            sha256=hashlib.sha256(fetched.content).hexdigest(),
            language=manifest.language,
            needs=manifest.needs,
            files=manifest.files,
        )
        return NewPack(pack, locked, fetched.from_folder)

    # --- update

    def update(self, names: Sequence[str] = ()) -> list[Changed]:
        """Take newer versions of packs, of all by default, from where they came, within their ranges; restore files
        that were changed. Raises RulesetError, CannotBegin."""
        new: dict[str, NewPack] = {}
        asked: dict[str, str] = {}
        self.least = {name: old.version for name, old in self.lock.packs.items()}
        for name, old in self.named(names).items():
            if old.index:
                asked[name] = old.range
                continue
            found = self.fetched(old.source, old.range)
            check_update(name, old, found)
            new[name] = found
        return self.settle(new, asked, None)

    def restore(self, names: Sequence[str] = ()) -> list[Changed]:
        """Bring back exactly the packs of the lock, all by default, from where they came. Raises RulesetError if a
        source has others now, CannotBegin."""
        new: dict[str, NewPack] = {}
        for name, old in self.named(names).items():
            found = self.fetched(old.source, old.range)
            if found.locked.sha256 != old.sha256:
                raise RulesetError([other_pack(name, old, found.locked)])
            new[name] = replace(found, locked=old)
        return self.write(new, self.lock.packs)

    def named(self, names: Sequence[str]) -> dict[str, LockedPack]:
        """The packs of these names, all if there are none. Raises CannotBegin for one that is not there."""
        for name in names:
            if name not in self.lock.packs:
                raise CannotBegin(f"{LOCK} has no pack {name}", ", ".join(sorted(self.lock.packs)) or None)
        return {name: self.lock.packs[name] for name in names or sorted(self.lock.packs)}

    # --- versions

    def settle(self, new: dict[str, NewPack], asked: Mapping[str, str], index: str | None) -> list[Changed]:
        """Choose versions of what is asked of an index (a range of "": the newest) and of all that is needed, and write
        everything. What was given itself is never replaced by what an index has."""
        given = frozenset(new)
        for _ in range(ROUNDS):
            packs = {**self.lock.packs, **{name: one.locked for name, one in new.items()}}
            again = next((one for one in self.to_fetch(packs, new, asked, index) if one[0] not in given), None)
            if again is None:
                break
            name, where = again
            new[name] = self.chosen(name, where, asked, packs)
        packs = {**self.lock.packs, **{name: one.locked for name, one in new.items()}}
        if problems := list(unmet(packs)):
            raise RulesetError(problems)
        if len(packs) > MOST_PACKS:
            raise RulesetError([Problem("too-many-packs", f"a folder has at most {MOST_PACKS} packs")])
        return self.write(new, packs)

    def to_fetch(
        self, packs: Mapping[str, LockedPack], new: Mapping[str, NewPack], asked: Mapping[str, str], index: str | None
    ) -> Iterator[tuple[str, str]]:
        """The packs that are still missing or do not fit, and the index that has them."""
        for name in asked:
            if name not in new and (where := index or self.index_of(name)):
                yield name, where
        for pack in packs.values():
            for name, range in pack.needs.items():
                where = (packs[name].index if name in packs else "") or pack.index or index
                fitting = name in packs and fits(packs[name].version, range)
                if not fitting and where:
                    yield name, where

    def chosen(self, name: str, where: str, asked: Mapping[str, str], packs: Mapping[str, LockedPack]) -> NewPack:
        """That version, fetched. Raises RulesetError if there is none."""
        least = order_of(self.least.get(name, ""))
        entries = tuple(one for one in self.index(where).packs.get(name, ()) if order_of(one.version) >= least)
        own = self.lock.packs.get(name)
        wanted = {name: own.range, **asked} if own is not None else asked
        ranges = asked_by(name, wanted, packs)
        entry = best(entries, [range for _, range in ranges])
        if entry is None:
            raise RulesetError([no_version(name, where, ranges, [one.version for one in entries])])
        source = beside(where, entry.file)
        fetched = fetch_pack(source, self.root)
        if hashlib.sha256(fetched.content).hexdigest() != entry.sha256:
            message = f"{source} is not the file that the index has"
            raise RulesetError([Problem("bad-pack", message, None, "tell whoever keeps the index")])
        # What others need and nobody asked for may be of any version that they accept.
        usual = own.range if own is not None else ANY
        found = self.new_pack(fetched, source, where, asked.get(name, usual) or None)
        if (found.pack.manifest.name, found.pack.manifest.version) != (name, entry.version):
            message = (
                f"{source} is {found.pack.manifest.name} {found.pack.manifest.version}, not {name} {entry.version}"
            )
            raise RulesetError([Problem("bad-pack", message, None, "tell whoever keeps the index")])
        if own is not None:
            check_contents(name, own, found)
        return found

    def index(self, source: str) -> PackIndex:
        """An index, fetched once."""
        if source not in self.indexes:
            self.indexes[source] = read_index(fetch_text(source, self.root, MOST_INDEX), source)
        return self.indexes[source]

    # --- writing

    def write(self, new: Mapping[str, NewPack], packs: Mapping[str, LockedPack]) -> list[Changed]:
        """Write the folders of the new packs, then the lock."""
        changes = []
        for name, one in sorted(new.items()):
            old = self.lock.packs.get(name)
            folder = folder_of(self.root / LOCK, name)
            differs = files_in(folder) != dict(sorted(one.locked.files.items()))
            if differs:
                put(folder, one.pack.files, self.root / PACKS)
            same = old is not None and old.sha256 == one.locked.sha256
            how: How = "added" if old is None else "updated" if not same else "restored" if differs else "kept"
            changes.append(Changed(name, how, old.version if old is not None else None, one.locked.version))
        self.lock = Lock(packs=dict(sorted(packs.items())))
        write_whole(self.root / LOCK, write_lock(self.lock))
        return changes


def put(folder: Path, files: Mapping[str, bytes], packs: Path) -> None:
    """Write the files of a pack in place of those that were there: whole or not at all."""
    packs.mkdir(exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=packs, prefix=".new-"))
    try:
        whole, old = draft / "new", draft / "old"
        whole.mkdir()
        for name, content in files.items():
            (whole / name).write_bytes(content)
        folder.parent.mkdir(exist_ok=True)
        if folder.exists() or folder.is_symlink():
            folder.rename(old)
        whole.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


# --- what fits


def asked_by(name: str, asked: Mapping[str, str], packs: Mapping[str, LockedPack]) -> list[tuple[str, str]]:
    """Who asks for a pack, with the ranges; "" is the user."""
    found = [("", asked[name] or ANY)] if name in asked else []
    return found + [(user, pack.needs[name]) for user, pack in sorted(packs.items()) if name in pack.needs]


def unmet(packs: Mapping[str, LockedPack]) -> Iterator[Problem]:
    """What packs need that is not there, or not in a version that they accept."""
    for user, pack in sorted(packs.items()):
        for name, range in pack.needs.items():
            if name not in packs:
                message = f"{user} {pack.version} needs the pack {name}"
                asked = f"{name}@{range}" if range != ANY else name
                yield Problem(
                    "needs-pack", message, None, f"add both: tilewright add ... {asked} --index URL, or its file"
                )
            elif not fits(packs[name].version, range):
                others = [f"{other} as {r}" for other, r in asked_by(name, {}, packs) if other != user]
                message = f"{user} {pack.version} needs {name} as {range}, and {packs[name].version} would be here"
                also = f"it is needed by {', '.join(others)}, too" if others else f"add a version in {range}"
                yield Problem("needs-pack", message, None, also)


def check_contents(name: str, old: LockedPack, new: NewPack) -> None:
    """Raises RulesetError if an archive has other contents than that of the same version before."""
    if new.locked.version == old.version and new.locked.sha256 != old.sha256 and not new.from_folder:
        raise RulesetError([same_version(name, old)])


def check_update(name: str, old: LockedPack, new: NewPack) -> None:
    """Raises RulesetError for an update that nobody should take unasked."""
    manifest = new.pack.manifest
    if manifest.name != name:
        raise RulesetError([Problem("bad-update", f"{old.source} is now the pack {manifest.name}, not {name}")])
    if not fits(manifest.version, old.range):
        hint = f"tilewright add {old.source} takes it all the same"
        raise RulesetError(
            [Problem("bad-update", f"{name} is now {manifest.version}, which is not in {old.range}", None, hint)]
        )
    if order_of(manifest.version) < order_of(old.version):
        raise RulesetError([Problem("bad-update", f"{name} is now {manifest.version}, older than {old.version}")])
    check_contents(name, old, new)


# --- problems


def named(problem: Problem, source: str) -> Problem:
    """A problem of a pack, told of its source."""
    if problem.place is None:
        return replace(problem, message=f"{source}: {problem.message}")
    text = problem.place.source
    return replace(problem, place=replace(problem.place, source=replace(text, name=f"{source}/{text.name}")))


def same_version(name: str, old: LockedPack) -> Problem:
    return Problem(
        "bad-update",
        f"{name} {old.version} has other contents now than {LOCK} says, under the same version",
        None,
        f"whoever changes a pack gives it a new version; to take this one all the same, delete {name} from {LOCK}",
    )


def other_pack(name: str, old: LockedPack, now: LockedPack) -> Problem:
    what = f"version {now.version}" if now.version != old.version else "other contents"
    return Problem(
        "bad-update",
        f"{old.source} has {what} of {name} now, and {LOCK} says {old.version}",
        None,
        f"`tilewright update {name}` takes what is there, if it is in {old.range}",
    )


def no_version(name: str, where: str, ranges: Sequence[tuple[str, str]], known: Sequence[str]) -> Problem:
    if not known:
        return Problem("no-such-pack", f"{where} has no pack {name}")
    asked = " and ".join(f"{range}{f' (of {user})' if user else ''}" for user, range in ranges)
    return Problem("pack-version", f"no version of {name} is in {asked}", None, f"there is {', '.join(known[:8])}")
