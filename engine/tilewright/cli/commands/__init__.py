"""Folders of commands, each a list of its own in `tilewright --help`, named by its docstring. Every file in one is a
command of its name, every folder a group of commands: nothing else lists them.

A file declares one function with `@command`, whose parameters are the arguments and options and which returns the exit
code. The docstring of the file is the help, its first line is shown in the list of `tilewright --help`. The list is
made from the docstrings alone: a file is imported when its command runs.
"""
