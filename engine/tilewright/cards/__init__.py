"""The card language: lines as they are printed on a card, and the hands that they stand for."""
