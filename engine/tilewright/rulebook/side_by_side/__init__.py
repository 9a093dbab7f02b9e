"""Two rulebooks side by side: aligned, what differs marked, as one page."""
