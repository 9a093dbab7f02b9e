"""Players that choose a legal move from a view: bots of this package and other programs; and simulations of many
games."""
