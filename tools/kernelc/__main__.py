"""`python -m kernelc`: see `building`."""

import sys
from pathlib import Path

from kernelc.building import CHECKED, NoCompiler, NotCompiled, build, file_name, is_current, translated
from kernelc.c_types import NotC

ROOT = Path(__file__).parents[2]


def main(*asked: str) -> int:
    package = ROOT / "engine/tilewright"
    try:
        if asked[:1] == ("--c",):
            Path(asked[1]).write_text(translated(package).text, encoding="utf-8")
        elif asked[:1] == ("--checked",):
            build(package, Path(asked[1]), flags=CHECKED)
        elif not is_current(package / file_name(), package):
            print("compiling kernels ...", flush=True)
            build(package, package / file_name())
    except NoCompiler as error:
        print(f"kernels are left out, scoring and bots take far longer: {error}", file=sys.stderr)
        return int(asked[:1] == ("--checked",))
    except (NotCompiled, NotC) as error:
        print(f"kernels are not compiled: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
