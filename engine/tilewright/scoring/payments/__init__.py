"""Payments: who pays whom how much: settled line by line, worked out for wins, accounted for."""
