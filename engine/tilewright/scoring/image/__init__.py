"""The image of a ruleset: tables of readings, and a program of conditions, that score hands without walking trees."""
