"""Worker processes: games are played and jobs are done in them, apart from the server."""
