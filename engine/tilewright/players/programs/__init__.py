"""Players that are other programs: JSON lines over pipes."""
