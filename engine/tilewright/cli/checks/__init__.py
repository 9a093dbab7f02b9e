"""What `tilewright check` does beside finding problems."""
