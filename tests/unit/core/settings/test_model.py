"""Every setting carries what a dialog needs to show it."""

from __future__ import annotations

import typing

import pytest
from pydantic import ValidationError

from agdesk.core.settings.early import EarlySettings
from agdesk.core.settings.model import Settings


def rows_of(section):
    """The settings of a section, or of what a table of tables has; the names of shortcuts are not known here."""
    of_each = typing.get_args(section.annotation)[-1:] or (section.annotation,)
    return getattr(of_each[0], "model_fields", {}).items()


SECTIONS = Settings.model_fields
ROWS = [pytest.param(row, id=f"{name}.{key}") for name, section in SECTIONS.items() for key, row in rows_of(section)]


def test_every_section_has_a_title():
    assert all(section.title for section in SECTIONS.values())


@pytest.mark.parametrize("row", ROWS)
def test_every_setting_has_a_title_a_description_and_names_for_all_its_choices(row):
    assert row.title
    assert row.description.endswith(".")
    if typing.get_origin(row.annotation) is typing.Literal:
        assert set(row.json_schema_extra["choices"]) == set(typing.get_args(row.annotation))


def test_the_defaults_are_those_of_the_first_paint():
    settings = Settings()
    early = EarlySettings()
    assert settings.appearance.theme == early.theme
    assert settings.appearance.scale == early.scale
    assert settings.appearance.language == early.language
    assert settings.chat.default_model == early.default_model


@pytest.mark.parametrize(
    "document",
    [
        {"appearance": {"theme": "pink"}},
        {"appearance": {"scale": True}},
        {"appearance": {"scale": 0.1}},
        {"chat": {"send_key": "space"}},
        {"chat": {"default_model": "gpt-5"}},
        {"chat": {"default_model": "/gpt-5"}},
        {"builtin_model": {"n_ctx": "4096"}},
        {"builtin_model": {"n_ctx": 10}},
        {"providers": {"custom": {"base_url": 1}}},
        {"providers": {"custom": {"key": "sk-0123456789"}}},
        {"providers": {"custom": {"key": "env:MY KEY"}}},
        {"providers": {"custom": "http://127.0.0.1"}},
        {"network": {"proxy": "socks"}},
        {"network": {"proxy_url": None}},
        {"trace": {"budget_mb": 15}},
        {"notifications": {"answer_ended": "yes"}},
        {"shortcuts": {"chat.send": 1}},
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(document):
    with pytest.raises(ValidationError):
        Settings.model_validate(document)


def test_every_part_of_the_settings_has_rows():
    assert {row.id.partition(".")[0] for row in ROWS} == set(SECTIONS) - {"shortcuts"}


def test_settings_do_not_change():
    with pytest.raises(ValidationError):
        Settings().appearance.theme = "dark"
