"""Several servers on one database: the lobby, tables played elsewhere, and the removal of old data."""
