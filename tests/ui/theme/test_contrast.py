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


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("foreground", FOREGROUNDS)
def test_text_stands_out_from_every_background(theme, foreground, background):
    tokens, _, ratio = theme
    assert contrast(getattr(tokens, foreground), getattr(tokens, background)) >= ratio


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("shape", ["control_edge", "accent", "danger", "muted"])
def test_edges_icons_and_the_focus_ring_stand_out_from_every_background(theme, shape, background):
    tokens, _, _ = theme
    assert contrast(getattr(tokens, shape), getattr(tokens, background)) >= SHAPE_RATIO


@pytest.mark.parametrize("kind", [field.name for field in fields(SyntaxColors)])
def test_code_of_every_kind_stands_out_from_its_background(theme, kind):
    tokens, syntax, ratio = theme
    assert contrast(getattr(syntax, kind), tokens.code) >= ratio


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
