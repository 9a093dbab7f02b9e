"""The rulebook of a ruleset: a document made of its data alone, for a page, as Markdown or for programs."""
