"""The command line: a module for each command. The only layer that reads argv."""
