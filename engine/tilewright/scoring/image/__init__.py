"""The image of a ruleset: tables of readings, and the program over them, which score a hand without walking trees."""
