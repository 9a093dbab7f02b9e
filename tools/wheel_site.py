"""A hook of hatch: a wheel brings the documentation where `make site` has built it."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SiteHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version == "standard" and (Path(self.root) / "site").is_dir():
            build_data["force_include"]["site"] = "tilewright/_data/site"
