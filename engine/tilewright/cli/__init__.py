"""The command line: argv in, an exit code out. The commands are the files of `commands`, which are its whole list."""
