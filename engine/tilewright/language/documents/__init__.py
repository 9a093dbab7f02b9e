"""Documents: found, read, merged, patched by mods and folded by options. Knows no words of expressions."""
