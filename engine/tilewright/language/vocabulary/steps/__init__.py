"""The steps of play, each declared once: tiles, memory, the course of play, worth; the reference has that order."""

# isort: off
from tilewright.language.vocabulary.steps import tiles
from tilewright.language.vocabulary.steps import memory
from tilewright.language.vocabulary.steps import course
from tilewright.language.vocabulary.steps import worth

__all__ = ["course", "memory", "tiles", "worth"]
