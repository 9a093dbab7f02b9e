"""Players that are other programs: lines of JSON over pipes, and MJAI, the protocol of programs for riichi."""
