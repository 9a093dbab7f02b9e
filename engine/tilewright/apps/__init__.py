"""The only layer that prints, listens or reads argv: the command line, reports of problems, the reference."""
