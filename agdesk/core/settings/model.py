"""Every setting, with the title, description and choices its row of the settings dialog is made from.

Loads pydantic: imported after the first paint only. Keys that this version does not know are kept (``extra="allow"``),
so that an older program does not eat the settings of a newer one.
"""

from __future__ import annotations

from typing import Any, Literal

from agdesk.core.settings.early import DEFAULT_MODEL, SCALE_MAX, SCALE_MIN, Language, Theme
from agdesk.core.settings.validation import BaseModel, ConfigDict, Field


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
    language: Language = Field(
        default="system",
        title="Language",
        description="Of menus, buttons and messages. A change holds from the next start.",
        json_schema_extra=_choices(system="As the system", en="English", zh_CN="简体中文"),
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


class Reading(_Section):
    """How conversations are shown."""

    wrap_code: bool = Field(
        default=True,
        title="Wrap long lines in code",
        description="Else a code block scrolls sideways. A button on each block changes it there.",
    )
    line_numbers: bool = Field(
        default=False, title="Line numbers in code", description="Beside the code; they are not copied with it."
    )


class BuiltinModel(_Section):
    """The model that runs on this machine without a key."""

    path: str = Field(
        default="", title="Model file", description="A GGUF file; empty for the one that comes with agdesk."
    )
    n_ctx: int = Field(
        default=4096, title="Context size", description="Tokens; more takes more memory.", ge=512, le=1_048_576
    )


class Provider(_Section):
    """What the user has set for one provider, on top of its row; with a ``preset`` it is an account of another one."""

    preset: str = Field(default="", title="Preset", description="The provider that this account is with.")
    name: str = Field(default="", title="Name", description="What this account is called; empty: after its provider.")
    base_url: str = Field(
        default="", title="Base URL", description="For example http://127.0.0.1:8080/v1; empty: the provider's own."
    )
    wire: Literal["openai_chat", "openai_responses", "anthropic", "gemini", "ollama"] = Field(
        default="openai_chat",
        title="Wire format",
        description="Whose API the server speaks.",
        json_schema_extra=_choices(
            openai_chat="OpenAI Chat Completions",
            openai_responses="OpenAI Responses",
            anthropic="Anthropic Messages",
            gemini="Google Gemini",
            ollama="Ollama",
        ),
    )
    key: str = Field(
        default="",
        title="Key",
        description="Where the key comes from; empty: the environment variable, else the system's key store.",
        pattern=r"^(keyring|env:[A-Za-z_][A-Za-z0-9_]*)?$",
    )
    headers: dict[str, str] = Field(
        default={},
        title="Extra headers",
        description="Sent with every request, one on a line, as in X-Title: agdesk. The key is not one of them.",
    )
    ca_file: str = Field(
        default="",
        title="Extra certificate authority",
        description="A PEM file that this provider's server is trusted by, beside the system's certificates.",
    )


class ModelChoice(_Section):
    """What the user knows better of one model, or wants of it; None: as its provider and the catalogue say (PROV5)."""

    thinking: bool | None = Field(default=None, title="Thinking", description="Whether it thinks before it answers.")
    vision: bool | None = Field(default=None, title="Images", description="Whether it takes images.")
    audio_input: bool | None = Field(default=None, title="Audio", description="Whether it takes sound.")
    tool_use: bool | None = Field(default=None, title="Tools", description="Whether it can call tools.")
    parallel_tool_calls: bool | None = Field(
        default=None, title="Parallel tool calls", description="Whether it can call several tools at once."
    )
    max_context_window: int | None = Field(
        default=None, title="Context window", description="Tokens of a request and its answer.", ge=1, le=10**12
    )
    max_output_tokens: int | None = Field(
        default=None, title="Longest answer", description="Tokens of an answer.", ge=1, le=10**12
    )
    input_per_million: float | None = Field(
        default=None, title="Input price", description="US dollars for a million tokens.", ge=0, le=1e9
    )
    output_per_million: float | None = Field(
        default=None, title="Output price", description="US dollars for a million tokens.", ge=0, le=1e9
    )
    refused: list[str] = Field(
        default=[], title="Left out", description="Parameters that the model refused once; they are not sent any more."
    )
    tool_mode: Literal["auto", "native", "schema", "off"] = Field(
        default="auto",
        title="How tools are offered",
        description="A schema of the answer stands in for them where a model has none.",
        json_schema_extra=_choices(auto="As the model can", native="As tools", schema="As a schema", off="Not at all"),
    )


class Network(_Section):
    """How requests reach the internet. Servers of this machine and of private networks are always reached directly."""

    proxy: Literal["system", "manual", "none"] = Field(
        default="system",
        title="Proxy",
        description="Which proxy requests go through.",
        json_schema_extra=_choices(system="As the system", manual="The one below", none="No proxy"),
    )
    proxy_url: str = Field(
        default="", repr=False, title="Proxy address", description="For example http://proxy.example.org:3128."
    )
    proxy_bypass: str = Field(
        default="",
        title="Not through the proxy",
        description="Hosts that are reached directly, separated by commas; .example.org stands for all below it.",
    )


class Trace(_Section):
    """What is kept of the requests."""

    budget_mb: int = Field(
        default=1024,
        title="Space for traces",
        description="In MB; beyond it the oldest traces go. Messages are never removed.",
        ge=16,
        le=1_000_000,
    )


class Notifications(_Section):
    """What tells of an answer while another window is in front."""

    answer_ended: bool = Field(
        default=True, title="Tell when an answer ends", description="Only while agdesk is not in front."
    )


class Settings(_Section):
    """All settings. Values are frozen: a change is a new ``Settings``, made by ``settings.file.changed``."""

    appearance: Appearance = Field(default=Appearance(), title="Appearance")
    chat: Chat = Field(default=Chat(), title="Chat")
    reading: Reading = Field(default=Reading(), title="Reading")
    builtin_model: BuiltinModel = Field(default=BuiltinModel(), title="Built-in model")
    providers: dict[str, Provider] = Field(default={}, title="Providers")
    models: dict[str, ModelChoice] = Field(default={}, title="Models")
    network: Network = Field(default=Network(), title="Network")
    trace: Trace = Field(default=Trace(), title="Traces")
    notifications: Notifications = Field(default=Notifications(), title="Notifications")
    shortcuts: dict[str, str] = Field(default={}, title="Keys")
