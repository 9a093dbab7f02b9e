"""Distance: how far hands are from any form, and which tiles bring them nearer: tables of blocks of tiles, joined."""
