"""The score card of a ruleset: all patterns by worth with tiles, tables and payments, on a sheet of paper."""
