"""What the codes of problems mean: data files, a page for each code."""
