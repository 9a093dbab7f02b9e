"""Problems of files as authors want them: tried, ignored by a comment or a baseline, as severe as a project says."""
