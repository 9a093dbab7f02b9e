"""Archives that are no packs, each made from a good one, with what is said of it."""

import hashlib
import io
import json
import stat
import struct
import warnings
from collections.abc import Callable
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

Files = dict[str, bytes]
Made = Callable[[bytes], bytes]

DOCUMENT = """tilewright: 1
kind: ruleset
id: taiwanese
name: {en: Riverside rules, zh: 河畔}
extends: cantonese
publisher: riverside
version: 1.2.0
license: CC-BY-4.0
authors: [Riverside Mahjong Club]
"""


def files_in(archive: bytes) -> Files:
    """The files of an archive by name, the manifest first."""
    with ZipFile(io.BytesIO(archive)) as found:
        return {info.filename: found.read(info) for info in found.infolist()}


def zipped(files: list[tuple[str, bytes]], method: int = ZIP_STORED, **of_entries: Any) -> bytes:
    """An archive of these entries, made like a pack but for what is given."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), ZipFile(buffer, "w", method) as archive:
        for name, content in files:
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr, info.compress_type = 3, (stat.S_IFREG | 0o644) << 16, method
            for key, value in of_entries.items():
                setattr(info, key, value)
            archive.writestr(info, content)
    return buffer.getvalue()


def beside(name: str, content: bytes = b"x", **of_entries: Any) -> Made:
    """One more entry, which the manifest has as well."""

    def made(archive: bytes) -> bytes:
        files = files_in(archive)
        manifest = json.loads(files["pack.json"])
        manifest["files"][name] = hashlib.sha256(content).hexdigest()
        files["pack.json"] = json.dumps(manifest).encode()
        good, bad = zipped([*files.items()]), [(name, content)]
        return joined(good, zipped(bad, **of_entries)) if of_entries else zipped([*files.items(), *bad])

    return made


def joined(first: bytes, second: bytes) -> bytes:
    """The entries of two archives in one, each with its own attributes."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for one in (first, second):
            with ZipFile(io.BytesIO(one)) as found:
                for info in found.infolist():
                    archive.writestr(info, found.read(info))
    return buffer.getvalue()


def manifest(change: Callable[[dict[str, Any]], object]) -> Made:
    """Another manifest."""

    def made(archive: bytes) -> bytes:
        files = files_in(archive)
        data = json.loads(files["pack.json"])
        change(data)
        return zipped([("pack.json", json.dumps(data).encode()), *list(files.items())[1:]])

    return made


def document(text: str) -> Made:
    """Another document in place of the head, with its right hash."""

    def made(archive: bytes) -> bytes:
        data = json.loads(files_in(archive)["pack.json"])
        data["files"]["taiwanese.yaml"] = hashlib.sha256(text.encode()).hexdigest()
        return zipped([("pack.json", json.dumps(data).encode()), ("taiwanese.yaml", text.encode())])

    return made


def flagged(archive: bytes, bit: int) -> bytes:
    """The archive with a bit set in the flags of its last entry, as encryption does."""
    at = archive.rfind(b"PK\x01\x02")
    flags = struct.unpack_from("<H", archive, at + 8)[0] | bit
    return archive[: at + 8] + struct.pack("<H", flags) + archive[at + 10 :]


def nul(archive: bytes) -> bytes:
    """A name that ends early for programs in C."""
    return beside("evilx.yaml.exe")(archive).replace(b"evilx.yaml.exe", b"evil\0.yaml.exe")


def overlapping(archive: bytes) -> bytes:
    """Many entries that are all the same bytes of the file: little in it is much when it is read."""
    begin, end = archive.find(b"PK\x01\x02"), archive.rfind(b"PK\x05\x06")
    entry = archive[archive.rfind(b"PK\x01\x02") : end]
    copies = b"".join(entry.replace(b"taiwanese.yaml", b"taiwane%02d.yaml" % n) for n in range(30))
    return archive[:begin] + copies + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 30, 30, len(copies), begin, 0)


ZEROS = b"0" * 50_000_000
HOSTILE: dict[str, tuple[Made, str]] = {
    "bomb": (lambda a: zipped([*files_in(a).items(), ("big.yaml", ZEROS)], ZIP_DEFLATED), "at most 8,000,000 bytes"),
    "compressed": (lambda a: zipped([*files_in(a).items()], ZIP_DEFLATED), "is compressed"),
    "many entries": (
        lambda a: zipped([*files_in(a).items(), *((f"f{n}.yaml", b"") for n in range(2_000))]),
        "at most 64 files, not 2,002",
    ),
    "large file": (beside("large.yaml", b"#" * 300_000), "has more than 256,000 bytes"),
    "absolute path": (beside("/etc/cron.yaml"), "is an absolute path"),
    "drive": (beside("C:cron.yaml"), "is an absolute path"),
    "parent": (beside("../../evil.yaml"), "leads out of the folder"),
    "folder": (beside("sub/evil.yaml"), "is in a folder"),
    "backslash": (beside("..\\evil.yaml"), "leads out of the folder"),
    "link": (beside("link.yaml", b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16), "is a link"),
    "device": (beside("device.yaml", b"", external_attr=(stat.S_IFCHR | 0o666) << 16), "is no file"),
    "twice": (lambda a: zipped([*files_in(a).items(), *list(files_in(a).items())[1:]]), "is there twice"),
    "capitals": (beside("Taiwanese.yaml", b"x"), "differ in capitals alone"),
    "nul": (nul, "has a NUL in its name"),
    "reserved": (beside("aux.yaml"), "is reserved on Windows"),
    "odd name": (beside("tai wan.yaml"), "with other characters"),
    "hidden": (beside(".evil.yaml"), "with other characters"),
    "program": (beside("setup.py", b"import os"), "is no document"),
    "nested": (lambda a: beside("inner.zip", a)(a), "is no document"),
    "nested as document": (lambda a: beside("inner.yaml", a)(a), "UTF-8"),
    "encrypted": (lambda a: flagged(a, 1), "is encrypted"),
    "overlapping": (overlapping, "no archive of a pack"),
    "wrong hash": (
        lambda a: zipped(
            [(n, c.replace(b"Club", b"Clan")) if n != "pack.json" else (n, c) for n, c in files_in(a).items()]
        ),
        "has other contents than pack.json says",
    ),
    "missing file": (lambda a: zipped(list(files_in(a).items())[:1]), "is missing, though pack.json has it"),
    "unlisted file": (lambda a: zipped([*files_in(a).items(), ("more.yaml", b"x")]), "is not in pack.json"),
    "no manifest": (lambda a: zipped(list(files_in(a).items())[1:]), "it has no pack.json"),
    "manifest is no JSON": (lambda a: zipped([("pack.json", b"{"), *list(files_in(a).items())[1:]]), "cannot be read"),
    "manifest too deep": (lambda a: zipped([("pack.json", b"[" * 100_000)]), "cannot be read"),
    "other version": (manifest(lambda m: m.update(version="9.9.9")), "something else than the documents: version"),
    "other name": (manifest(lambda m: m.update(name="moonside/taiwanese")), "something else than the documents: name"),
    "more needs": (manifest(lambda m: m.update(needs={"a/b": "^1"})), "something else than the documents: needs"),
    "unknown key": (manifest(lambda m: m.update(run="rm -rf")), "cannot be read"),
    "newer language": (manifest(lambda m: m.update(language=3)), "edition 3 of the language"),
    "newer format": (manifest(lambda m: m.update(pack=2)), "cannot be read"),
    "deep YAML": (document(DOCUMENT + "about: " + "[" * 3_000 + "]" * 3_000 + "\n"), "levels"),
    "alias bomb": (
        document(DOCUMENT + "about: &a [" + "x, " * 999 + "]\nsource: [" + "*a, " * 999 + "]\n"),
        "more than 20,000 values",
    ),
    "no document": (document("just a text\n"), "must be keys with values"),
    "other id": (document(DOCUMENT.replace("id: taiwanese", "id: other")), "call the file other.yaml"),
    "no publisher": (document(DOCUMENT.replace("publisher: riverside\n", "")), "no document says who publishes it"),
    "bad range": (document(DOCUMENT.replace("cantonese", "a/b@latest")), "is not a range of versions"),
    "something before it": (lambda a: b"#!/bin/sh\n" + a, "more in this archive than its files"),
    "something after it": (lambda a: a + b"<script>", "in this archive"),
    "a comment": (lambda a: a[:-2] + struct.pack("<H", 5) + b"hello", "more in this archive than its files"),
    "other times": (lambda a: zipped([*files_in(a).items()], date_time=(2026, 1, 1, 0, 0, 0)), "more in this archive"),
    "cut off": (lambda a: a[: len(a) // 2], "no archive of a pack"),
    "nothing": (lambda a: b"", "no archive of a pack"),
    "a document": (lambda a: DOCUMENT.encode(), "no archive of a pack"),
    "too long": (lambda a: a + b"\0" * 8_000_000, "at most 8,000,000 bytes"),
}
