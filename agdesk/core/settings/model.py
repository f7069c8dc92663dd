"""Every setting, with the title, description and choices its row of the settings dialog is made from.

Loads pydantic: imported after the first paint only. Keys that this version does not know are kept (``extra="allow"``),
so that an older program does not eat the settings of a newer one.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agdesk.core.settings.early import DEFAULT_MODEL, SCALE_MAX, SCALE_MIN, Theme


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", strict=True, validate_default=True)


def _choices(**titles: str) -> dict[str, Any]:
    return {"choices": titles}


class Appearance(_Section):
    """How the window looks."""

    theme: Theme = Field(
        default="system",
        title="Theme",
        description="Light or dark colours, or those of the desktop.",
        json_schema_extra=_choices(system="As the desktop", light="Light", dark="Dark"),
    )
    scale: float = Field(
        default=1.0, title="Text size", description="Factor on the desktop's font size.", ge=SCALE_MIN, le=SCALE_MAX
    )


class Chat(_Section):
    """Conversations."""

    send_key: Literal["enter", "ctrl_enter"] = Field(
        default="enter",
        title="Send with",
        description="The other one starts a new line.",
        json_schema_extra=_choices(enter="Enter", ctrl_enter="Ctrl+Enter"),
    )
    default_model: str = Field(
        default=DEFAULT_MODEL,
        title="Model of new conversations",
        description="Provider and model, as in openai/gpt-5.",
        pattern=r"^[^/\s]+/\S(.*\S)?$",
    )


class BuiltinModel(_Section):
    """The model that runs on this machine without a key."""

    path: str = Field(
        default="", title="Model file", description="A GGUF file; empty for the one that comes with agdesk."
    )
    n_ctx: int = Field(
        default=4096, title="Context size", description="Tokens; more takes more memory.", ge=512, le=1_048_576
    )


class CustomEndpoint(_Section):
    """A server of the user's own that speaks OpenAI's chat format."""

    base_url: str = Field(
        default="", title="Base URL", description="For example http://127.0.0.1:8080/v1; empty for none."
    )


class Settings(_Section):
    """All settings. Values are frozen: a change is a new ``Settings``, made by ``settings.file.changed``."""

    appearance: Appearance = Field(default=Appearance(), title="Appearance")
    chat: Chat = Field(default=Chat(), title="Chat")
    builtin_model: BuiltinModel = Field(default=BuiltinModel(), title="Built-in model")
    custom_endpoint: CustomEndpoint = Field(default=CustomEndpoint(), title="Custom endpoint")
