"""Write a small, commented document to start from."""
