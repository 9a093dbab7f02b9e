"""Magnitude: how many bits a number may take that an expression makes, so that no ruleset makes numbers without end.

Knows the intermediate form alone. What a table counts (scores, marks, tiles) is taken to fit in 64 bits.
"""

from tilewright.language.compiled.ir import Apply, Call, Choice, Const, Ir, Quantified, Term, Word
from tilewright.language.expressions.folding import MAX_EXPONENT

USUAL = 64
MAX_BITS = 20_000


def bits(ir: Ir, known: dict[str, int]) -> int:
    """The most bits of numerator and denominator together. `known`: measures and terms by name; terms are added."""
    match ir:
        case Const():
            return number_bits(ir)
        case Word(name=name):
            return known.get(name, USUAL)
        case Term(name=name, body=body):
            if name not in known:
                known[name] = bits(body, known)
            return known[name]
        case Choice(then=then, other=other):
            return max(bits(then, known), bits(other, known))
        case Quantified(body=body, op=op):
            return bits(body, known) * (USUAL if op == "sum" else 1)
        case Call(args=args):
            return max([USUAL, *(bits(arg, known) for arg in args)])
        case Apply(op="^", args=(base, exponent)):
            return bits(base, known) * largest(exponent)
        case Apply(op="neg" | "+" | "-" | "*" | "/" | "%", args=args):
            return sum(bits(arg, known) for arg in args)
    return USUAL


def number_bits(ir: Const) -> int:
    if isinstance(ir.value, str | tuple):
        return USUAL
    return ir.value.numerator.bit_length() + ir.value.denominator.bit_length()


def largest(exponent: Ir) -> int:
    """The largest exponent that there may be."""
    if isinstance(exponent, Const) and isinstance(exponent.value, int):
        return max(1, exponent.value)
    return MAX_EXPONENT
