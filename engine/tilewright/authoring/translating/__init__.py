"""Translating: the texts of a document apart from its rules, in files of their own and for translators' tools."""
