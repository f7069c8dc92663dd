"""Asks an endpoint about each of its models, where its list tells too little of them (Ollama's ``/api/show``)."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from agdesk.core.errors import LlmError
from agdesk.core.providers.base import ModelInfo, WireFormat, WireRequest
from agdesk.core.providers.lenient import object_of

log = logging.getLogger(__name__)

AT_ONCE = 4
TOTAL_S = 30.0
"""After this long, what has not been answered stays as the list has it."""


async def described(
    models: Sequence[ModelInfo],
    *,
    wire: WireFormat,
    ask: Callable[[WireRequest], Awaitable[Any]],
    limit_s: float = TOTAL_S,
) -> tuple[ModelInfo, ...]:
    """The models with what the answers tell; those that turn out to be no chat models are left out.

    Args:
        models: as the list has them.
        wire: has the question, or none: then the models are given back as they are.
        ask: gives the document that answers; raises ``LlmError``.
        limit_s: for all questions together.
    """
    known: dict[str, ModelInfo | None] = {model.id: model for model in models}
    places = asyncio.Semaphore(AT_ONCE)

    async def learn(model: ModelInfo, question: WireRequest) -> None:
        async with places:
            try:
                answers = wire.parse_models({**object_of(await ask(question)), "model": model.id})
            except LlmError as error:
                log.info("%s tells nothing more: %s", model.id, error.message)
                return
            known[model.id] = _with(model, answers[0]) if answers else None

    questions = [(model, question) for model in models if (question := wire.describe_model(model.id)) is not None]
    try:
        async with asyncio.timeout(limit_s):
            await asyncio.gather(*(learn(model, question) for model, question in questions))
    except TimeoutError:
        log.info("not every model was described in %g s", limit_s)
    return tuple(model for model in known.values() if model is not None)


def _with(listed: ModelInfo, answer: ModelInfo) -> ModelInfo:
    """What the answer tells, over what the list does."""
    told = dataclasses.asdict(answer.features)
    features = dataclasses.replace(
        listed.features, **{name: value for name, value in told.items() if value is not None}
    )
    return dataclasses.replace(listed, features=features, source={**listed.source, **answer.source})
