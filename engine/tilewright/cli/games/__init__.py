"""What commands that play many games have in common."""
