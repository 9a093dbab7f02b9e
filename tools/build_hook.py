"""A hook of hatch: wheels bring compiled kernels, and the documentation where `make site` has built it; the source
archive brings the kernels in C.

From a checkout the C is translated first. Where there is no compiler, the wheel has no kernels and fits every machine;
TILEWRIGHT_KERNELS=compiled makes that an error.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

C_FILE = "kernels.c"  # in the source archive


class BuildHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        self.made = TemporaryDirectory(prefix="tilewright-")
        if self.target_name == "sdist":
            self.add_c(root, build_data)
        elif self.target_name == "wheel":
            self.add_module(root, version, build_data)
            if version == "standard" and (root / "site").is_dir():
                build_data["force_include"]["site"] = "tilewright/_data/site"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.made.cleanup()

    def add_c(self, root: Path, build_data: dict[str, Any]) -> None:
        """The C of the kernels, for the archive."""
        file = root / C_FILE
        if not file.exists():
            kernelc = self.translator(root)
            file = Path(self.made.name) / C_FILE
            file.write_text(kernelc.translated(root / "engine/tilewright").text, encoding="utf-8")
        build_data["force_include"][str(file)] = C_FILE

    def add_module(self, root: Path, version: str, build_data: dict[str, Any]) -> None:
        """The compiled module, for a wheel; of an editable one, in the checkout."""
        kernelc, package, given = self.translator(root), root / "engine/tilewright", root / C_FILE
        name = kernelc.file_name()
        target = (package if version == "editable" else Path(self.made.name)) / name
        try:
            if version != "editable" or not kernelc.is_current(target, package):
                self.app.display_info("compiling kernels ...")
                kernelc.build(package, target, given if given.exists() else None)
        except kernelc.NotCompiled as error:
            if os.environ.get(kernelc.CHOICE) == kernelc.REQUIRED:
                raise
            self.app.display_warning(f"kernels are left out, scoring and bots take far longer: {error}")
            return
        platform = self.build_config.builder.get_best_matching_tag().split("-", 2)[2]
        build_data["pure_python"], build_data["tag"] = False, f"cp311-abi3-{platform}"
        if version != "editable":
            build_data["force_include"][str(target)] = f"tilewright/{name}"

    @staticmethod
    def translator(root: Path) -> Any:
        """What compiles kernels, and translates them where their C is not there."""
        sys.path[:0] = [str(root / "tools"), str(root / "engine")]
        from kernelc import building

        return building
