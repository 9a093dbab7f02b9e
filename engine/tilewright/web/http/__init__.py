"""HTTP: whose a request is, its body, static files, and the socket of a page."""
