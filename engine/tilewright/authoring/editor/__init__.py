"""What editors show of a document that is being written, unsaved or not: completion, meanings, outline, where names are
declared and used, renaming, formatting, fixes, and how many examples hold. The language server and the workshop ask
here."""
