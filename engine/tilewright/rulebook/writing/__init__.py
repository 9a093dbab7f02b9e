"""The means to write rulebooks: blocks of text, tables and tiles, and the writer for a language."""
