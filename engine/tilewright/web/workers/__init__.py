"""Worker processes: they run games and jobs, apart from the server."""
