"""HTTP: authentication and bodies of requests, static files, and the socket of a page."""
