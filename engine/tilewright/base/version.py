"""The version of the package, and the edition of the language."""

__version__ = "0.1.0"
EDITION = 2  # of the language, in which documents are written now
