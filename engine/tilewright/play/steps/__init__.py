"""How play is carried out: steps as operations, the course of play, questions and their answers."""
