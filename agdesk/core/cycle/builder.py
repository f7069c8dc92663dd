"""``AgentBuilder``: makes cycles, but none with a model that is known to lack what is required (SEED5, D2)."""

from __future__ import annotations

import logging

from agdesk.core.cycle.cycle import LlmCycle
from agdesk.core.cycle.hooks import Hook, HookExecutor
from agdesk.core.cycle.requests import CycleConfig
from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.messages import Message
from agdesk.core.providers.base import LlmProvider
from agdesk.core.providers.router import Needs
from agdesk.core.trace.recorder import Recorder

log = logging.getLogger(__name__)


class AgentBuilder:
    """What a cycle is made from, and what its model must be able to do.

    Args:
        required: a model that is known not to meet it is refused; one of which nobody knows passes with a warning.
        hooks: code of others that is asked during the turns of a cycle.
    """

    def __init__(
        self, provider: LlmProvider, config: CycleConfig, *, required: Needs, hooks: tuple[Hook, ...] = ()
    ) -> None:
        self.provider = provider
        self.config = config
        self.required = required
        self.hooks = hooks

    def check(self) -> tuple[str, ...]:
        """The requirements of which nobody knows whether the model meets them; the log is told of them.

        Raises:
            ConfigurationError: the model is known to lack a required feature.
        """
        model = self.config.model
        met = self.required.met_by(self.provider.capabilities(model).features)
        if missing := [word for word, is_met in met.items() if is_met is False]:
            raise ConfigurationError(
                f"{model} is known to lack what is needed: {', '.join(missing)}",
                "Choose another model, or correct what is known of this one in the list of models.",
            )
        unknown = tuple(word for word, is_met in met.items() if is_met is None)
        if unknown:
            log.warning("nobody knows whether %s has what is needed: %s", model, ", ".join(unknown))
        return unknown

    def build(self, recorder: Recorder, *, messages: list[Message] | None = None) -> LlmCycle:
        """A cycle over ``messages``, which it goes on filling.

        Raises:
            ConfigurationError: the model is known to lack a required feature.
        """
        self.check()
        hooks = HookExecutor(self.hooks, recorder) if self.hooks else None
        return LlmCycle(self.provider, self.config, recorder, messages=messages, hooks=hooks)
