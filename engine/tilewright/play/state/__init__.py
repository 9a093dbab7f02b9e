"""The state of a table: what may change, without the rules that change it."""
