"""The rows come from the metadata of the model, whatever is in it."""

from typing import Literal

import pytest
from pydantic import Field

from agdesk.core.settings.model import Appearance, Provider, Settings
from agdesk.ui.settings.fields import FieldKind, describe_fields, describe_sections, value_of


class WiderAppearance(Appearance):
    contrast: Literal["normal", "high"] = Field(
        default="normal", title="Contrast", description="How much.", json_schema_extra={"choices": {"high": "A lot"}}
    )
    columns: int = Field(default=2, title="Columns", description="Side by side.", ge=1, le=4)
    is_calm: bool = Field(default=False, title="Calm", description="No motion.")
    dimming: float = Field(default=0.5, title="Dimming", description="Of the rest.", ge=0.0, le=1.0)
    font: str = Field(default="", title="Font", description="Empty for the system's.")
    wallpaper_file: str = Field(default="", title="Wallpaper", description="A picture.")


class WiderSettings(Settings):
    appearance: WiderAppearance = Field(default=WiderAppearance(), title="Appearance")


def fields_of(model, section):
    found = next(found for found in describe_sections(model) if found.name == section)
    return {field.key: field for field in found.fields}


def test_every_plain_section_of_the_model_is_a_page_and_every_field_has_a_title_and_a_description(qapp):
    sections = describe_sections(Settings)
    plain = [name for name in Settings.model_fields if name not in ("providers", "models", "shortcuts")]
    assert [section.name for section in sections] == plain
    for section in sections:
        model = Settings.model_fields[section.name].annotation
        assert [field.key for field in section.fields] == [f"{section.name}.{name}" for name in model.model_fields]
        assert section.title
        assert all(field.title and field.description for field in section.fields)


def test_a_field_that_is_added_to_the_model_gets_the_control_of_its_type(qapp):
    fields = fields_of(WiderSettings, "appearance")
    kinds = {key.partition(".")[2]: field.kind for key, field in fields.items()}
    assert kinds == {
        "theme": FieldKind.CHOICE,
        "scale": FieldKind.FACTOR,
        "language": FieldKind.CHOICE,
        "contrast": FieldKind.CHOICE,
        "columns": FieldKind.NUMBER,
        "is_calm": FieldKind.FLAG,
        "dimming": FieldKind.FACTOR,
        "font": FieldKind.TEXT,
        "wallpaper_file": FieldKind.FILE,
    }
    assert (fields["appearance.columns"].minimum, fields["appearance.columns"].maximum) == (1, 4)
    assert fields["appearance.contrast"].choices == (("normal", "normal"), ("high", "A lot"))
    assert fields["appearance.columns"].default == 2


def test_a_search_finds_a_field_by_title_description_and_choices(qapp):
    words = fields_of(WiderSettings, "appearance")["appearance.contrast"].words
    assert "Contrast" in words
    assert "How much." in words
    assert "A lot" in words


def test_a_type_that_no_control_can_show_is_an_error(qapp):
    class Odd(Appearance):
        names: tuple[str, ...] = Field(default=(), title="Names", description="Several.")

    with pytest.raises(TypeError, match="names"):
        describe_fields(Odd, prefix="appearance")


def test_the_fields_of_a_provider_have_keys_of_three_parts(qapp):
    fields = describe_fields(Provider, prefix="providers.openai", without=("key",))
    assert {field.key: field.kind for field in fields} == {
        "providers.openai.preset": FieldKind.TEXT,
        "providers.openai.name": FieldKind.TEXT,
        "providers.openai.base_url": FieldKind.TEXT,
        "providers.openai.wire": FieldKind.CHOICE,
        "providers.openai.headers": FieldKind.HEADERS,
        "providers.openai.ca_file": FieldKind.FILE,
    }


def test_a_key_names_its_value():
    settings = Settings.model_validate({"appearance": {"theme": "dark"}, "providers": {"openai": {"base_url": "x"}}})
    assert value_of(settings, "appearance.theme") == "dark"
    assert value_of(settings, "providers.openai.base_url") == "x"
    assert value_of(settings, "providers.openai.ca_file") == value_of(settings, "providers.other.ca_file") == ""
