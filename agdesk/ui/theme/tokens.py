"""The colours of the window, one table per theme, and the high-contrast tables derived from them.

Colours are ``#RRGGBB`` texts, so that the contrast of every pair can be computed without a window.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from agdesk.ui.theme.contrast import ENHANCED_RATIO, strengthen


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a colour is for. ``border`` is decoration only; the edge of a control is ``control_edge``.

    ``match`` is behind what was searched for; the match that is shown has ``on_accent`` on ``warning``.
    """

    window: str
    surface: str
    raised: str
    user_block: str
    code: str
    match: str
    border: str
    text: str
    muted: str
    control_edge: str
    accent: str
    on_accent: str
    success: str
    warning: str
    danger: str
    factual: str
    action: str
    mixed: str


@dataclass(frozen=True, slots=True)
class SyntaxColors:
    """Colours of code; each stands on ``Tokens.code``. Text of no kind has ``Tokens.text``."""

    keyword: str
    string: str
    comment: str
    number: str
    function: str
    type: str
    builtin: str
    tag: str
    inserted: str
    deleted: str


LIGHT = Tokens(
    window="#F4F5F7",
    surface="#FFFFFF",
    raised="#FFFFFF",
    user_block="#EAF1FC",
    code="#F4F5F7",
    match="#FFEFB8",
    border="#D5D9E0",
    text="#1A1D22",
    muted="#565F6B",
    control_edge="#7F8895",
    accent="#0B5FCC",
    on_accent="#FFFFFF",
    success="#1A7437",
    warning="#8A5A00",
    danger="#B8232F",
    factual="#0B5FCC",
    action="#A3470A",
    mixed="#6B3FA0",
)
DARK = Tokens(
    window="#15171B",
    surface="#1C1F25",
    raised="#242830",
    user_block="#1F2B3D",
    code="#15171B",
    match="#332C12",
    border="#363C47",
    text="#E7EAEF",
    muted="#9DA7B5",
    control_edge="#7A8494",
    accent="#74B4FF",
    on_accent="#15171B",
    success="#5BD08A",
    warning="#E6B450",
    danger="#FF8A80",
    factual="#74B4FF",
    action="#F0A46B",
    mixed="#C2A1F2",
)
SYNTAX_LIGHT = SyntaxColors(
    keyword="#7A3E9D",
    string="#1A6B35",
    comment="#5F6873",
    number="#8A4B00",
    function="#0B57BA",
    type="#00667A",
    builtin="#8F2C6E",
    tag="#A3262F",
    inserted="#1A7437",
    deleted="#B8232F",
)
SYNTAX_DARK = SyntaxColors(
    keyword="#C9A2F5",
    string="#8FD694",
    comment="#8E99A8",
    number="#F0B37E",
    function="#7DB8FF",
    type="#6FD3E0",
    builtin="#F19ECB",
    tag="#FF9E94",
    inserted="#5BD08A",
    deleted="#FF8A80",
)

BACKGROUNDS = ("window", "surface", "raised", "user_block", "code", "match")
FOREGROUNDS = ("text", "muted", "accent", "success", "warning", "danger", "factual", "action", "mixed")


def high_contrast(tokens: Tokens) -> Tokens:
    """The same table with pure backgrounds, every edge drawn, and every foreground at 7:1 or more."""
    is_dark = tokens.text > tokens.window  # both are greys: the order of the texts is the order of the lightness
    ground, ink = ("#000000", "#FFFFFF") if is_dark else ("#FFFFFF", "#000000")
    plain = replace(
        tokens, **dict.fromkeys(BACKGROUNDS, ground), text=ink, border=ink, control_edge=ink, on_accent=ground
    )
    stronger = {
        name: strengthen(getattr(plain, name), (ground,), ratio=ENHANCED_RATIO)
        for name in FOREGROUNDS
        if name != "text"
    }
    return replace(plain, **stronger)


def high_contrast_syntax(syntax: SyntaxColors, *, background: str) -> SyntaxColors:
    """The colours of code at 7:1 or more on ``background``."""
    return SyntaxColors(
        **{
            field.name: strengthen(getattr(syntax, field.name), (background,), ratio=ENHANCED_RATIO)
            for field in fields(syntax)
        }
    )
