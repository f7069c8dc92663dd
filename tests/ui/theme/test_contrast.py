"""Every pair of colours that the window uses, in every theme (UI.md, WCAG 2.1)."""

from dataclasses import fields

import pytest

from agdesk.ui.theme.contrast import ENHANCED_RATIO, SHAPE_RATIO, TEXT_RATIO, contrast, luminance, strengthen
from agdesk.ui.theme.theme import colors
from agdesk.ui.theme.tokens import BACKGROUNDS, DARK, FOREGROUNDS, LIGHT, SyntaxColors, Tokens, high_contrast

THEMES = {
    f"{'dark' if is_dark else 'light'}{' high contrast' if is_high else ''}": (is_dark, is_high)
    for is_dark in (False, True)
    for is_high in (False, True)
}


@pytest.fixture(params=THEMES, ids=str)
def theme(request) -> tuple[Tokens, SyntaxColors, float]:
    is_dark, is_high = THEMES[request.param]
    tokens, syntax = colors(is_dark=is_dark, is_high_contrast=is_high)
    return tokens, syntax, ENHANCED_RATIO if is_high else TEXT_RATIO


def too_weak(tokens: Tokens, names: tuple[str, ...], ratio: float) -> list[str]:
    """The pairs of these colours and the backgrounds that miss a ratio."""
    return [
        f"{name} on {background}: {found:.2f}"
        for name in names
        for background in BACKGROUNDS
        if (found := contrast(getattr(tokens, name), getattr(tokens, background))) < ratio
    ]


def test_text_stands_out_from_every_background(theme):
    tokens, _, ratio = theme
    assert too_weak(tokens, FOREGROUNDS, ratio) == []


def test_edges_icons_and_the_focus_ring_stand_out_from_every_background(theme):
    tokens, _, _ = theme
    assert too_weak(tokens, ("control_edge", "accent", "danger", "muted"), SHAPE_RATIO) == []


def test_code_of_every_kind_stands_out_from_its_background(theme):
    tokens, syntax, ratio = theme
    ratios = {field.name: contrast(getattr(syntax, field.name), tokens.code) for field in fields(SyntaxColors)}
    assert {name: found for name, found in ratios.items() if found < ratio} == {}


def test_a_pair_that_is_too_weak_is_found():
    assert too_weak(LIGHT, ("border",), SHAPE_RATIO)


def test_text_stands_out_on_the_accent_colour(theme):
    tokens, _, ratio = theme
    assert contrast(tokens.on_accent, tokens.accent) >= ratio


def test_every_colour_is_part_of_a_checked_pair():
    unchecked = {field.name for field in fields(Tokens)} - {*BACKGROUNDS, *FOREGROUNDS, "control_edge", "on_accent"}
    assert unchecked == {"border"}, "border is decoration only"


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_high_contrast_draws_every_border(tokens):
    strong = high_contrast(tokens)
    assert contrast(strong.border, strong.window) == pytest.approx(21)
    assert strong.border == strong.control_edge == strong.text


def test_contrast_has_the_values_of_the_standard():
    assert luminance("#FFFFFF") == pytest.approx(1)
    assert luminance("#000000") == 0
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_strengthen_keeps_the_hue_and_ends_with_black_or_white():
    assert strengthen("#8899FF", ("#FFFFFF",), ratio=7).startswith("#0")
    assert contrast(strengthen("#8899FF", ("#FFFFFF",), ratio=7), "#FFFFFF") >= 7
    assert strengthen("#8899FF", ("#777777",), ratio=7) in ("#FFFFFF", "#000000")
