"""How play proceeds: steps as operations, the course of play, questions and their answers."""
