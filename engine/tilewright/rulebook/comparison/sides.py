"""Sides: a ruleset that is compared, with whatever options a comparison wants. Compares nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.load import Elaborated
from tilewright.play.rules import Rules
from tilewright.rulebook.book import abouts_of
from tilewright.rulebook.sections.in_use import InUse
from tilewright.rulebook.sentences.expressions import Sentences
from tilewright.rulebook.sentences.play import PlaySentences
from tilewright.rulebook.writing.teller import Teller

Options = tuple[tuple[str, str], ...]
Open = Callable[[Mapping[str, str]], Elaborated]  # the ruleset with these options besides its own; RulesetError
MOST_KEPT = 64


@dataclass(frozen=True)
class OpenSide:
    """A ruleset with some options, in both forms, and what writes its sentences."""

    whole: MergedRuleset
    rules: Rules
    teller: Teller
    play: PlaySentences | None
    used: InUse


@dataclass
class Side:
    """A ruleset to compare. `opens`: opens it; `name`: as the user names it."""

    name: str
    opens: Open
    language: str = "en"
    kept: dict[Options, OpenSide] = field(default_factory=dict)

    def under(self, options: Options = ()) -> OpenSide:
        """The ruleset with these options; the same ones are opened once. Raises RulesetError."""
        if options not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                del self.kept[next(key for key in self.kept if key)]
            found = self.opens(dict(options))
            rules, say = Rules(found.data), Sentences(found.data, self.language, abouts_of(found.merged))
            play = None if found.data.play is None else PlaySentences(say, found.data.play)
            self.kept[options] = OpenSide(
                found.merged, rules, Teller(rules, found.merged, say), play, InUse(rules.data)
            )
        return self.kept[options]
