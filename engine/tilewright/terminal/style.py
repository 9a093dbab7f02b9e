"""Style: the layout and colours of the window. Data only."""

from rich.terminal_theme import TerminalTheme

from tilewright.terminal.panels import STYLE

CSS = (
    STYLE
    + """
#table { height: 1fr; }
#head { height: 1; background: $panel; padding: 0 1; }
#upper { height: auto; }
#seats { height: 100%; width: 1fr; padding: 0 1; }
#story { width: 40; height: 100%; border-left: solid $panel-lighten-2; padding: 0 1; display: none; }
#seats, #story { scrollbar-size-vertical: 1; }
#news { height: auto; padding: 0 1; border-top: solid $panel-lighten-2; }
#own, #notice, #offers, #buttons { height: auto; padding: 0 1; }
#own { max-height: 6; border-top: solid $panel-lighten-2; }
#ask { height: 1; padding: 0 1; }
#hand { height: auto; padding: 0 1; }
#keys { height: 1; background: $panel; padding: 0 1; }
#small { display: none; height: 1fr; content-align: center middle; }
"""
)

COLOURS = TerminalTheme(  # the sixteen terminal colours on this screen
    (18, 18, 18),
    (230, 230, 230),
    [
        (0, 0, 0),
        (255, 99, 99),
        (98, 200, 98),
        (222, 184, 65),
        (104, 150, 245),
        (200, 120, 220),
        (70, 190, 190),
        (200, 200, 200),
    ],
    [
        (110, 110, 110),
        (255, 130, 130),
        (130, 230, 130),
        (250, 225, 110),
        (120, 170, 255),
        (240, 150, 245),
        (110, 225, 225),
        (255, 255, 255),
    ],
)
