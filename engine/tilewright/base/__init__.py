"""Problems with a place and a hint, and documents whose every part knows its place. Knows no mahjong."""
