"""The C of kernels, and the extension module that a compiler makes of it.

python -m kernelc                   compile the module into the checkout, unless it is there and of these sources
python -m kernelc --checked FILE    compile another one there, in which every index is looked at
python -m kernelc --c FILE          write the C alone
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module, util
from pathlib import Path

from tilewright.base.kernels import CHOICE, PLAIN, Entry, fingerprint

HERE = Path(__file__).parent
MODULE = "_kernels"
ENTRY = re.compile(r"^@(long_)?entry$", re.MULTILINE)
FLAGS = ("-O2", "-fwrapv", "-ffp-contract=off", "-fvisibility=hidden")
CHECKED = (*FLAGS, "-DKC_CHECKED")  # every index that is read at is looked at, too
COMPILERS = ("cc", "gcc", "clang")
REQUIRED = "compiled"  # what TILEWRIGHT_KERNELS says where a build without kernels is none


class NotCompiled(Exception):
    """Why no module was made: a sentence."""


class NoCompiler(NotCompiled):
    """Nothing here compiles, or nothing shall: kernels run as plain Python."""


@dataclass(frozen=True)
class Translated:
    """Kernels in C, and the files that they were made from."""

    text: str
    sources: str
    fingerprint: str
    kernels: int


def entries_of(package: Path) -> list[Entry[..., object]]:
    """The entries of a package, in the order of its files."""
    found = list[Entry[..., object]]()
    for file in sorted(package.rglob("*.py")):
        if ENTRY.search(file.read_text(encoding="utf-8")):
            name = ".".join((package.name, *file.relative_to(package).with_suffix("").parts))
            module = import_module(name)
            found += [one for one in vars(module).values() if isinstance(one, Entry) and one.plain.__module__ == name]
    return found


def translated(package: Path, entries: Iterable[Entry[..., object]] | None = None, module: str = MODULE) -> Translated:
    """The entries of a package as C. Raises NotC."""
    from kernelc.program import Program  # imported here: what has the C needs no translator

    sys.setrecursionlimit(10_000)  # a kernel is translated while its caller is
    package = package.resolve()
    program = Program(entries_of(package) if entries is None else entries)
    body = program.text()
    files = [file.resolve() for file in program.sources.files]
    inside = sorted(file.relative_to(package).as_posix() for file in files if file.is_relative_to(package))
    sources = "\n".join(inside)
    known = fingerprint(sources, package)
    said = [f'static const char kc_fingerprint[] = "{known}";', 'static const char kc_sources[] = ""']
    said += [f'    "{name}\\n"' for name in inside]
    said += ["    ;", f'#define KC_MODULE "{module}"', f"#define KC_INIT PyInit_{module}", ""]
    return Translated("\n".join((body, *said, (HERE / "module.c").read_text())), sources, known, len(program.order))


def file_name() -> str:
    """The name of the module's file: one for all versions of Python from 3.11 on."""
    return f"{MODULE}.pyd" if sys.platform == "win32" else f"{MODULE}.abi3.so"


def compiler() -> list[str]:
    """The command that compiles: CC of the environment, that of Python, or one that is found. Raises NotCompiled."""
    named = [os.environ.get("CC") or "", sysconfig.get_config_var("CC") or "", *COMPILERS]
    for command in filter(None, map(shlex.split, named)):
        if shutil.which(command[0]):
            return command
    raise NoCompiler("there is no C compiler (cc, gcc or clang, or what CC names)")


def compiled(source: Path, target: Path, flags: Sequence[str] = FLAGS) -> None:
    """Compile a file of C to an extension module. Raises NotCompiled."""
    command = [*compiler(), *flags, f"-I{sysconfig.get_path('include')}", *shlex.split(os.environ.get("CFLAGS", ""))]
    command += [*linking(), str(source), "-o", str(target), *shlex.split(os.environ.get("LDFLAGS", ""))]
    target.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise NotCompiled(f"the compiler failed: {shlex.join(command)}\n{done.stderr[-3000:]}")


def linking() -> list[str]:
    """How an extension module is linked here."""
    if sys.platform == "win32":
        return ["-shared", f"-L{Path(sys.base_prefix) / 'libs'}", "-lpython3"]
    if sys.platform == "darwin":
        return ["-bundle", "-undefined", "dynamic_lookup", *shlex.split(os.environ.get("ARCHFLAGS", ""))]
    return ["-shared", "-fPIC", "-s", "-lm"]


def is_current(file: Path, package: Path) -> bool:
    """Whether a module is there, and was made from these sources."""
    spec = util.spec_from_file_location(MODULE, file) if file.exists() else None
    if spec is None or spec.loader is None:
        return False
    made = HERE.glob("*")
    if max(one.stat().st_mtime for one in made) > file.stat().st_mtime:
        return False
    try:
        module = util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:
        return False
    known = {name.partition(":")[0].split(".", 1)[1].replace(".", "/") + ".py" for name in module.entries}
    asked = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if ENTRY.search(file.read_text(encoding="utf-8"))
    }
    return known == asked and fingerprint(module.sources, package) == module.fingerprint


def build(package: Path, target: Path, given: Path | None = None, flags: Sequence[str] = FLAGS) -> None:
    """Make the module, from C that is given or from the kernels of the package. Raises NotCompiled and NotC."""
    if os.environ.get(CHOICE) == PLAIN:
        raise NoCompiler(f"{CHOICE}={PLAIN} leaves kernels out")
    source = given
    if source is None:
        source = target.with_name("kernels.c")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(translated(package).text, encoding="utf-8")
    made = target.with_name(f"new-{target.name}")
    compiled(source, made, flags)
    made.replace(target)  # at once: a process that runs keeps the old one
    if given is None:
        source.unlink()
