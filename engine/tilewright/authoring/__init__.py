"""Help for authors of rules: opening, starting, completing and looking up documents; the generated reference."""
