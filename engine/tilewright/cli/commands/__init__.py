"""Every file or folder in this one is a list of its own in `tilewright --help`, named by the first line of its
docstring: nothing else lists commands.

A file declares each command by a function with `@command("name")`, or `@command("group name")` for one of a group,
which the file `group.py` describes. Parameters are the arguments and options, the docstring is the help, whose first
line is shown in the list of `tilewright --help`; it returns the exit code. The list is made from the text of the files
alone: one is imported when a command of its own runs.
"""
