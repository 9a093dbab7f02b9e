"""Steps that remember: marks, dice, and what seats answer."""

from dataclasses import field
from typing import Annotated

from tilewright.language.compiled.choices import Choose, Text
from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.steps import H, Operation, StepSpeaker, VerbCompiler
from tilewright.language.vocabulary.steps.declare import DeclaredVerb, Sentence, step
from tilewright.language.vocabulary.steps.fields import (
    ChoicesField,
    Dice,
    FlagField,
    MarkValues,
    SeatsField,
    TitleField,
)


@step("mark")
class Remember(DeclaredVerb):
    """Set marks: {mark: value}."""

    values: Annotated[tuple[tuple[str, Ir], ...], MarkValues()]

    def clause(self, speaker: StepSpeaker) -> str:
        """What the marks with a name become: others are not for players."""
        named = ((speaker.mark_name(id), value) for id, value in self.values)
        return speaker.in_turn([remembered(speaker, name, value) for name, value in named if name])

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        values = [(name, compiler.value(ir)) for name, ir in self.values]

        def operate(at: H) -> None:
            for name, value in [(name, answer(at)) for name, answer in values]:
                at.remember(name, value)

        return operate


def remembered(speaker: StepSpeaker, mark: str, value: Ir) -> str:
    """What a mark becomes, in words."""
    if isinstance(value, Const) and value.type == "truth":
        return speaker.message("verbs.mark.holds" if value.value else "verbs.mark.ends", mark=mark)
    if value.type == "truth":
        return speaker.message("verbs.mark.depends", mark=mark, when=speaker.truth(value))
    return speaker.message("verbs.mark.becomes", mark=mark, value=speaker.thing(value))


@step("roll", Sentence("says"))
class Roll(DeclaredVerb):
    """Roll dice: {name: [values]} sets the name to one of the values."""

    dice: Annotated[tuple[tuple[str, tuple[Ir, ...]], ...], Dice()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        dice = [(name, [compiler.value(ir) for ir in values], values[0].type) for name, values in self.dice]

        def operate(at: H) -> None:
            for name, values, type in dice:
                at.decide(name, values[at.chance(len(values))](at), type)

        return operate


@step("ask", Sentence("says"))
class Ask(DeclaredVerb):
    """Ask seats something, all at once; the answers become words."""

    who: Annotated[Ir, SeatsField("Who is asked.")]
    choose: Annotated[tuple[Choose, ...], ChoicesField("What is chosen, by name.")]
    name: Annotated[Text, TitleField("What the table asks.")] = field(default_factory=dict)
    secret: Annotated[bool, FlagField("Whether the answer stays secret.")] = False

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return compiler.question(self, self.who)
