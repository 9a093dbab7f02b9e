"""What the sentences of the language of play mean, scene by scene."""

from pathlib import Path

import pytest
from play_scenes import FOLDER, Scene, differences, scenes

FILES = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "tiny")
ALL = [pytest.param(scene, id=f"{file}-{scene.id}") for file in FILES for scene in scenes(file)]


@pytest.mark.parametrize("scene", ALL)
def test_scene(scene: Scene, tmp_path: Path) -> None:
    for name, found, expected in differences(scene, tmp_path):
        assert found == expected, f"{name}: {scene.says}"
