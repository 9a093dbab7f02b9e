"""The bundled rulesets that many tests play. Riichi and sanma come after these where they are cheap enough."""

PLAYED = (
    "american",
    "cantonese",
    "chinese_classical",
    "hong_kong",
    "mcr",
    "sichuan",
    "uzje",
    "zung_jung",
    "zung_jung_plus",
)
