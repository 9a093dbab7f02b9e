"""Data: how the classes of frozen data are made."""
