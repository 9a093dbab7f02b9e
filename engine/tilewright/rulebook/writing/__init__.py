"""What rulebooks are written with: blocks of text, tables and tiles, and who writes them in a language."""
