"""The bundled rulesets: those that tests play which are about every game."""

PLAYED = (
    "american",
    "cantonese",
    "chinese_classical",
    "hong_kong",
    "mcr",
    "riichi",
    "sanma",
    "sichuan",
    "uzje",
    "zung_jung",
    "zung_jung_plus",
)
