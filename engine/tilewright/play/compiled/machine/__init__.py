"""The machine of compiled play: its operations by subject, and what runs them."""
