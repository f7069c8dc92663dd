"""What a model must be to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from agdesk.core.providers.catalogue import ModelRow

WINDOWS = (32_000, 128_000, 200_000, 1_000_000)
"""The least windows that are offered, in tokens."""


@dataclass(frozen=True, slots=True)
class ModelFilter:
    """Conditions that all must hold.

    Attributes:
        abilities: features that a model must have.
        min_context_window: in tokens; None for any.
        is_usable: only models that can be used now: they have a key, if they need one, and an address.
        is_local: only models on this machine or in its network.
        includes_unknown: models of which it is not known whether they fit are shown too, after those that do.
    """

    abilities: frozenset[str] = frozenset()
    min_context_window: int | None = None
    is_usable: bool = False
    is_local: bool = False
    includes_unknown: bool = False

    @property
    def is_narrow(self) -> bool:
        """Whether there is any condition."""
        return bool(self.abilities or self.min_context_window or self.is_usable or self.is_local)

    def is_met(self, row: ModelRow) -> bool | None:
        """Whether a model fits; None: nobody knows."""
        if (self.is_usable and not row.is_usable) or (self.is_local and not row.is_local):
            return False
        features = row.model.features
        is_known = True
        for ability in self.abilities:
            has_it = getattr(features, ability)
            if has_it is False:
                return False
            is_known = is_known and has_it is not None
        if self.min_context_window is not None:
            window = features.max_context_window
            if window is not None and window < self.min_context_window:
                return False
            is_known = is_known and window is not None
        return True if is_known else None
