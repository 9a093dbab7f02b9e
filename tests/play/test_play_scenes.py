"""What the sentences of the language of play mean, scene by scene; and at the end of each, every expression of its
rules says what the tree walker says."""

from pathlib import Path
from random import Random

import pytest
from play_scenes import FOLDER, Scene, begun, differences, scenes
from test_play_expressions import compare, play_of

FILES = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "tiny")
ALL = [pytest.param(scene, id=f"{file}-{scene.id}") for file in FILES for scene in scenes(file)]


@pytest.mark.parametrize("scene", ALL)
def test_scene(scene: Scene, tmp_path: Path) -> None:
    game = begun(scene, tmp_path)
    for name, found, expected in differences(scene, game):
        assert found == expected, f"{name}: {scene.says}"
    compare(game, play_of(game), Random(67), slow=True)
