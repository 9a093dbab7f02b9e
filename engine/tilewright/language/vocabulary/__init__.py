"""The words of expressions and the steps of play, each declared once with its documentation and an example.

Whoever imports any of it has all steps: they are declared as their module is imported.
"""

from tilewright.language.vocabulary import steps

__all__ = ["steps"]
