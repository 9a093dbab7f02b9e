"""Shapes: the emblems of tiles as elements of SVG, each in a box of its own. Knows no tile and no game.

A shape is drawn around 0 0 and reaches 10 to every side; its user moves and scales it. An ink is the name of a
colour (`INKS`), which the page may set: `--tile-red` and so on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin

import htpy as h
from markupsafe import Markup

INKS = {
    "ink": "#26241f",
    "red": "#b3261e",
    "green": "#17693f",
    "blue": "#1d4f8f",
    "gold": "#8a5a00",
    "violet": "#6a3d8a",
    "face": "#fbf7ec",
    "paper": "var(--tile-face,#fbf7ec)",  # what is left free within an emblem, where the face itself is not drawn
}
CONTRAST = {
    "ink": "#000000",
    "red": "#a30000",
    "green": "#00551c",
    "blue": "#00308f",
    "gold": "#6b3d00",
    "violet": "#4f1a75",
    "face": "#ffffff",
    "paper": "#ffffff",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """How inks become colours. `only`: the one ink for everything, overriding others."""

    contrast: bool = False
    only: str = ""

    def __call__(self, ink: str) -> str:
        """The colour of an ink, as an attribute value."""
        name = self.only if self.only and ink not in ("face", "paper") else ink
        if self.contrast:
            return f"var(--tile-contrast-{name},{CONTRAST[name]})"
        return f"var(--tile-{name},{INKS[name]})"


def number(value: float) -> str:
    """The shortest form of a number."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0" if abs(value) < 0.005 else "-0")


def points(pairs: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def around(count: int, radius: float, start: float = -90.0) -> list[tuple[float, float]]:
    """So many points on a circle, the first at the top."""
    turns = [(start + 360.0 * nth / count) * pi / 180 for nth in range(count)]
    return [(radius * cos(turn), radius * sin(turn)) for turn in turns]


Shape = Callable[..., h.Node]  # of a paint and inks


@lru_cache(maxsize=1024)
def drawn(shape: Shape, paint: Paint, *inks: str) -> Markup:
    """A shape in these inks, written once."""
    return Markup(h.fragment[shape(paint, *inks)])


# --- pips


def ring(paint: Paint, ink: str = "blue", heart: str = "") -> h.Node:
    """A ring with a disc in it."""
    return [
        h.circle(r="8", fill="none", stroke=paint(ink), stroke_width="3"),
        h.circle(r="3.4", fill=paint(heart or ink)),
    ]


def great_ring(paint: Paint) -> h.Node:
    """The single ring of a suit: a wheel."""
    dots = [h.circle(cx=number(x), cy=number(y), r="1.05", fill=paint("green")) for x, y in around(12, 6.6)]
    petals = [
        h.ellipse(cx="0", cy="-2.75", rx="1.15", ry="1.9", fill=paint("red"), transform=f"rotate({60 * nth})")
        for nth in range(6)
    ]
    return [
        h.circle(r="9.2", fill="none", stroke=paint("green"), stroke_width="1.5"),
        dots,
        h.circle(r="5", fill="none", stroke=paint("blue"), stroke_width=".8"),
        petals,
        h.circle(r="1.1", fill=paint("blue")),
    ]


def stick(paint: Paint, ink: str = "green") -> h.Node:
    """A cane with its knots, as high as the box and narrow."""
    return [
        h.path(
            d="M-2.7 -9.2C-1 -10.3 1 -10.3 2.7 -9.2C3.3 -8.6 3.1 -7.9 2.4 -7.4C1.8 -5.4 1.8 -3.2 2.2 -1.3"
            "C3.1 -.7 3.1 .7 2.2 1.3C1.8 3.2 1.8 5.4 2.4 7.4C3.1 7.9 3.3 8.6 2.7 9.2C1 10.3 -1 10.3 -2.7 9.2"
            "C-3.3 8.6 -3.1 7.9 -2.4 7.4C-1.8 5.4 -1.8 3.2 -2.2 1.3C-3.1 .7 -3.1 -.7 -2.2 -1.3"
            "C-1.8 -3.2 -1.8 -5.4 -2.4 -7.4C-3.1 -7.9 -3.3 -8.6 -2.7 -9.2Z",
            fill=paint(ink),
        ),
        h.path(d="M0 -6.6V-2.6M0 2.6V6.6", stroke=paint("paper"), stroke_width="1", stroke_linecap="round"),
    ]


def bird(paint: Paint, ink: str = "green") -> h.Node:
    """A bird on its branch, looking left."""
    return [
        h.path(d="M1.2 3.4C3.2 5.2 4.3 7.4 4.6 9.9C2.5 8.8 .9 6.9 .1 4.3Z", fill=paint("red")),
        h.path(d="M2.6 2.2C5.2 3.6 7.1 5.6 8.2 8.4C5.4 7.9 3 6.4 1.3 4Z", fill=paint("blue")),
        h.path(d="M3.3 .7C6.2 1.1 8.4 2.5 10 4.9C7 5.2 4.3 4.4 2.2 2.7Z", fill=paint(ink)),
        h.path(
            d="M-6.6 -5.6C-6.4 -8.2 -3.4 -9.3 -1.4 -7.7C-.1 -6.6 -.3 -4.9 .9 -3.9"
            "C3.4 -2 4.4 .4 3.6 2.6C2.7 5 -.6 5.6 -3.2 4.2C-6.2 2.6 -6.9 -.8 -5.4 -3.4C-5 -4.1 -5.3 -4.6 -6.6 -5.6Z",
            fill=paint(ink),
        ),
        h.path(d="M-6.4 -6.6L-9.6 -5.9L-6.2 -5Z", fill=paint("red")),
        h.path(d="M-3.6 -8.6C-3.4 -9.7 -2.6 -10 -1.6 -10C-1.9 -9.3 -1.8 -8.7 -1.5 -7.9Z", fill=paint("red")),
        h.circle(cx="-4.2", cy="-6.5", r=".85", fill=paint("paper")),
        h.path(d="M-3.3 -1.6C-1.4 -2.4 1.4 -1.2 2.3 1.6C-.3 2.6 -3.1 1.4 -3.3 -1.6Z", fill=paint("paper")),
        h.path(d="M-2.3 -.9C-.9 -1.1 .6 -.2 1.2 1C-.4 1.3 -1.9 .6 -2.3 -.9Z", fill=paint("blue")),
        h.path(
            d="M-2.6 4.4L-2.9 8.2M-.5 4.8L-.6 8.2M-5.6 8.4H1.6",
            fill="none",
            stroke=paint("ink"),
            stroke_width=".9",
            stroke_linecap="round",
        ),
    ]


def star(paint: Paint, ink: str = "red") -> h.Node:
    """A star of five points."""
    outer, inner = around(5, 10), around(5, 4.3, -54)
    pairs = [pair for both in zip(outer, inner, strict=True) for pair in both]
    return [
        h.polygon(points=points(pairs), fill=paint(ink), stroke=paint(ink), stroke_width=".8", stroke_linejoin="round"),
        h.circle(r="1.7", fill=paint("paper")),
    ]


def blossom(paint: Paint, ink: str = "red") -> h.Node:
    """Five petals."""
    petals = [h.circle(cx=number(x), cy=number(y), r="4.1", fill=paint(ink)) for x, y in around(5, 5.6)]
    return [petals, h.circle(r="3.2", fill=paint("paper")), h.circle(r="1.7", fill=paint("gold"))]


def leaf(paint: Paint, ink: str = "green") -> h.Node:
    return [
        h.path(d="M0 -10C7 -5.6 7.4 3.6 .7 7.4V10H-.7V7.4C-7.4 3.6 -7 -5.6 0 -10Z", fill=paint(ink)),
        h.path(
            d="M0 -6.4V6.4M0 -1.6L3.6 -4.6M0 -1.6L-3.6 -4.6M0 2.8L4 -.6M0 2.8L-4 -.6",
            fill="none",
            stroke=paint("paper"),
            stroke_width=".9",
            stroke_linecap="round",
        ),
    ]


def diamond(paint: Paint, ink: str = "red") -> h.Node:
    return [
        h.path(d="M0 -10L7.4 0L0 10L-7.4 0Z", fill=paint(ink), stroke=paint(ink), stroke_linejoin="round"),
        h.path(d="M0 -4.4L3.2 0L0 4.4L-3.2 0Z", fill=paint("paper")),
    ]


def heart(paint: Paint, ink: str = "red") -> h.Node:
    return h.path(
        d="M0 9.4C-5.4 5.2 -9.6 1.4 -9.6 -3.3C-9.6 -6.6 -7.4 -8.8 -4.7 -8.8C-2.6 -8.8 -.9 -7.6 0 -5.7"
        "C.9 -7.6 2.6 -8.8 4.7 -8.8C7.4 -8.8 9.6 -6.6 9.6 -3.3C9.6 1.4 5.4 5.2 0 9.4Z",
        fill=paint(ink),
    )


def drop(paint: Paint, ink: str = "blue") -> h.Node:
    return [
        h.path(
            d="M0 -10C3.6 -5 6.6 -1.4 6.6 3C6.6 7 3.7 9.8 0 9.8C-3.7 9.8 -6.6 7 -6.6 3C-6.6 -1.4 -3.6 -5 0 -10Z",
            fill=paint(ink),
        ),
        h.path(
            d="M-3.6 3.4C-3.6 5.4 -2.2 6.9 -.4 7.1",
            fill="none",
            stroke=paint("paper"),
            stroke_width="1.3",
            stroke_linecap="round",
        ),
    ]


def sun(paint: Paint, ink: str = "gold") -> h.Node:
    rays = [h.path(d="M-1.4 -6.7H1.4L0 -10Z", transform=f"rotate({45 * nth})") for nth in range(8)]
    return h.g(fill=paint(ink))[h.circle(r="5"), rays]


def moon(paint: Paint, ink: str = "violet") -> h.Node:
    return h.path(
        d="M3.2 -9.4A9.6 9.6 0 1 0 8.8 5.4A8 8 0 0 1 3.2 -9.4Z",
        fill=paint(ink),
        stroke=paint(ink),
        stroke_width=".8",
        stroke_linejoin="round",
    )


def frame(paint: Paint, ink: str = "blue") -> h.Node:
    """An empty frame of full height, narrower than high."""
    return [
        h.rect(
            x="-7.2", y="-10", width="14.4", height="20", rx="1.6", fill="none", stroke=paint(ink), stroke_width="1.5"
        ),
        h.rect(x="-5", y="-7.8", width="10", height="15.6", rx=".7", fill="none", stroke=paint(ink), stroke_width=".6"),
    ]


def blank(paint: Paint, ink: str = "ink") -> h.Node:
    return h.path(d="M0 -2.4L2.4 0L0 2.4L-2.4 0Z", fill="none", stroke=paint(ink), stroke_width=".7", opacity=".55")


OWN_INKS = {
    "rings": "blue",
    "sticks": "green",
    "frame": "blue",
    "blank": "ink",
    "star": "red",
    "blossom": "red",
    "leaf": "green",
    "diamond": "red",
    "heart": "red",
    "drop": "blue",
    "sun": "gold",
    "moon": "violet",
    "bird": "green",
}
SHAPES: dict[str, Shape] = dict(
    zip(OWN_INKS, (ring, stick, frame, blank, star, blossom, leaf, diamond, heart, drop, sun, moon, bird), strict=True)
)

# --- badges: outlines around the letter of a suit without an emblem, each different

BADGES = (
    h.circle(r="9.3"),
    h.rect(x="-8.6", y="-8.6", width="17.2", height="17.2", rx="2.4"),
    h.path(d="M0 -10L9.4 -5V5L0 10L-9.4 5V-5Z"),
    h.path(d="M-8.6 -9H8.6V1C8.6 5.4 5 8.4 0 10C-5 8.4 -8.6 5.4 -8.6 1Z"),
    h.path(d="M0 -10.6L10.6 0L0 10.6L-10.6 0Z"),
    h.path(d="M-6 -9.4H6L10 0L6 9.4H-6L-10 0Z"),
)
BADGE_INKS = ("blue", "green", "red", "violet", "gold", "ink")


def badge(paint: Paint, nth: int) -> h.Element:
    """The outline of the nth suit without an emblem."""
    outline, ink = BADGES[nth % len(BADGES)], BADGE_INKS[nth % len(BADGE_INKS)]
    return h.g(fill="none", stroke=paint(ink), stroke_width="1.4", stroke_linejoin="round")[outline]
