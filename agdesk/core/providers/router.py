"""Capability-driven routing: the model that is known to do what is needed (SEED5, D2). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.blocks import Audio, ContentBlock, Image, ToolResult
from agdesk.core.ir.messages import Message, Tool
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow

AUTO = "auto/best"
"""The reference that stands for whatever model the router takes."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a model must be able to do; ``min_context_window`` is in tokens, None for any."""

    vision: bool = False
    audio_input: bool = False
    tool_use: bool = False
    thinking: bool = False
    parallel_tool_calls: bool = False
    min_context_window: int | None = None

    def met_by(self, features: ProviderFeatures) -> dict[str, bool | None]:
        """Each need in words, and whether a model meets it; None is unknown."""
        met: dict[str, bool | None] = {
            word: getattr(features, field) for word, field in _FIELDS.items() if getattr(self, field)
        }
        if (least := self.min_context_window) is not None:
            window = features.max_context_window
            met[f"a window of {least:,} tokens"] = None if window is None else window >= least
        return met


_FIELDS = {
    "vision": "vision",
    "audio": "audio_input",
    "tools": "tool_use",
    "thinking": "thinking",
    "parallel": "parallel_tool_calls",
}
_WINDOW = re.compile(r"(\d{1,12})(k|m)?", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


def parse_needs(text: str) -> Needs:
    """The needs of a list such as ``vision,tools,200k``: words, and a context window in tokens, thousands or millions.

    Raises:
        ConfigurationError: a word means nothing.
    """
    given: dict[str, bool | int] = {}
    for word in filter(None, (part.strip().lower() for part in text.split(","))):
        if word in _FIELDS:
            given[_FIELDS[word]] = True
        elif window := _WINDOW.fullmatch(word):
            given["min_context_window"] = int(window[1]) * _FACTORS[(window[2] or "").lower()]
        else:
            raise ConfigurationError(
                f"{word!r} is no need", f"Write {', '.join(_FIELDS)} or a context window such as 200k, with commas."
            )
    return Needs(**given)  # type: ignore[arg-type]  # the fields' own types


def needs_of(
    messages: Iterable[Message], parameters: RequestParameters | None = None, *, has_tools: bool = False
) -> Needs:
    """What a model must be able to do to see all of a conversation, and to do what is set for it."""
    thinking = parameters.thinking if parameters is not None else None
    blocks = [
        block
        for message in messages
        for block in _blocks(message.results if isinstance(message, Tool) else message.content)
    ]
    return Needs(
        vision=any(isinstance(block, Image) for block in blocks),
        audio_input=any(isinstance(block, Audio) for block in blocks),
        tool_use=has_tools,
        thinking=thinking is not None and thinking.is_wanted,
    )


def _blocks(content: Iterable[ContentBlock]) -> Iterator[ContentBlock]:
    for block in content:
        yield block
        if isinstance(block, ToolResult):
            yield from _blocks(block.content)


def route(needs: Needs, rows: Sequence[ModelRow], *, preferred_ref: str = "") -> ModelRow:
    """The best usable model for ``needs``: never one that is known not to meet them.

    One that is known to meet all comes before one of which less is known; among equals ``preferred_ref`` comes first,
    then the one that costs the least (a local one costs nothing, one without a known price comes last), then the larger
    window.

    Raises:
        ConfigurationError: there is none; it names what nobody offers.
    """
    usable = [row for row in rows if row.is_usable]
    met = {row.ref: needs.met_by(row.model.features) for row in usable}
    fitting = [row for row in usable if False not in met[row.ref].values()]
    if not fitting:
        raise _nobody(list(met.values()))

    def rank(row: ModelRow) -> tuple[int, bool, bool, float, int, str]:
        price = 0.0 if row.is_local else _price(row.model)
        unknown_count = list(met[row.ref].values()).count(None)
        window = row.model.features.max_context_window or 0
        return unknown_count, row.ref != preferred_ref, price is None, price or 0.0, -window, row.ref

    return min(fitting, key=rank)


def choice_in_words(row: ModelRow, needs: Needs) -> str:
    """A sentence that says which model was taken and how well it meets the needs."""
    met = needs.met_by(row.model.features)
    known = [word for word, is_met in met.items() if is_met]
    unknown = [word for word, is_met in met.items() if is_met is None]
    reasons = [f"it is known to have {_listed(known)}"] if known else []
    if unknown:
        reasons.append(f"nobody knows whether it has {_listed(unknown)}")
    return f"{row.ref} was taken{': ' if reasons else ''}{', but '.join(reasons)}"


def _price(model: ModelInfo) -> float | None:
    price_in, price_out = model.prices.input_per_million, model.prices.output_per_million
    return None if price_in is None or price_out is None else price_in + price_out


def _nobody(met: Sequence[dict[str, bool | None]]) -> ConfigurationError:
    """The error that names what nobody has; ``met``: of each usable model."""
    if not met:
        return ConfigurationError("No model can be used", "Give a provider a key in Settings › Providers.")
    words = list(met[0])
    missing = [word for word in words if all(of_model[word] is False for of_model in met)]
    return ConfigurationError(
        f"No {'model' if missing else 'single model'} that can be used has {_listed(missing or words)}",
        "Give another provider a key in Settings › Providers, ask for its list of models, or ask for less.",
    )


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
