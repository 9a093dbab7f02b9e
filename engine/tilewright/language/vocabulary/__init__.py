"""The words of expressions, each declared once with its type, its documentation and an example."""
