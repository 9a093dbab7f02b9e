"""The state of a table: what may change, and nothing that changes it by itself."""
