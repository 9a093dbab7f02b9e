"""Help for authors of rules: documents opened, begun, completed and looked up; the generated reference."""
