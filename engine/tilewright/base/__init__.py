"""Problems with a place and a way out, and documents that know where everything in them stands. Knows no mahjong."""
