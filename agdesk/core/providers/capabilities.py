"""What a model can do, put together from everyone who knows something of it (D2, PROV5).

Field by field the first who knows counts: the user, the provider's own list, the row of the provider, the bundled
catalogue. What nobody knows is None, and nothing is concluded from a name. Loads pydantic; pure but for the catalogue's
files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agdesk.core.providers.base import Endpoint, ModelInfo, Prices, ProviderFeatures, WireFormat
from agdesk.core.providers.catalogue import catalogue_model
from agdesk.core.providers.dialect import MediaKind
from agdesk.core.providers.families import family_layers

if TYPE_CHECKING:
    from agdesk.core.settings.model import ModelChoice

USER, LIST, PRESET, CATALOGUE = "user", "list", "preset", "catalogue"

_FEATURES = tuple(field.name for field in dataclasses.fields(ProviderFeatures))
_PRICES = tuple(field.name for field in dataclasses.fields(Prices))
FIELDS = (*_FEATURES, "max_output_tokens", *_PRICES)
"""Every value of a ``ModelInfo`` that has a source."""

CORRECTABLE = tuple(field for field in FIELDS if field not in ("streaming", "system_prompt_in_messages"))
"""What a user can know better; the other two are facts of the wire format."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is at hand about one provider's models.

    Attributes:
        endpoint: its row as set.
        preset_id: the shipped row that it is, or is an account of.
        wire: the format it speaks.
    """

    endpoint: Endpoint
    preset_id: str
    wire: WireFormat

    def of(self, model_id: str, *, listed: ModelInfo | None = None, choice: ModelChoice | None = None) -> ModelInfo:
        """All that is known of a model; ``listed``: as the provider's own list has it."""
        preset = next((info for info in self.endpoint.models if info.id == model_id), None)
        catalogued = catalogue_model(self.endpoint, model_id)
        layers: list[tuple[str, ModelInfo]] = [] if choice is None else [(USER, _corrections(choice))]
        layers += [(LIST, listed)] if listed is not None else []
        layers += [(PRESET, preset)] if preset is not None else []
        layers.append((PRESET, self._of_all()))
        layers += [(CATALOGUE, catalogued)] if catalogued is not None else []
        layers += [(CATALOGUE, layer) for layer in family_layers(self.preset_id, model_id)]
        told = [info for _, info in layers]
        names = (info.display_name for info in told if info.display_name not in ("", model_id))
        return dataclasses.replace(
            _merged(layers),
            id=model_id,
            display_name=next(names, model_id),
            parameters=listed.parameters if listed is not None else None,
            lacks=next((info.lacks for info in told if info.lacks), ()),
            refused=tuple(choice.refused) if choice is not None else (),
            tool_mode=choice.tool_mode if choice is not None else "auto",
            efforts=next((info.efforts for info in told if info.efforts), ()),
            takes_prefill=next((info.takes_prefill for info in told if info.takes_prefill is not None), None),
        )

    def _of_all(self) -> ModelInfo:
        """What is true of every model behind this endpoint."""
        dialect = self.endpoint.dialect
        features = ProviderFeatures(
            streaming=True,
            system_prompt_in_messages=self.wire.takes_system_messages,
            vision=None if MediaKind.IMAGE in dialect.media else False,
            audio_input=None if MediaKind.AUDIO in dialect.media else False,
            tool_use=False if "tools" in dialect.refused_parameters else None,
        )
        return ModelInfo("", "", features, prices=Prices(0.0, 0.0) if self.endpoint.is_free else Prices())


def _merged(layers: Sequence[tuple[str, ModelInfo]]) -> ModelInfo:
    values: dict[str, Any] = {}
    source: dict[str, str] = {}
    for name, info in layers:
        for field, value in known_values(info):
            if field not in values:
                values[field] = value
                source[field] = name if name == LIST else info.source.get(field, name)
    return ModelInfo(
        "",
        "",
        ProviderFeatures(**{field: values[field] for field in _FEATURES if field in values}),
        values.get("max_output_tokens"),
        Prices(**{field: values[field] for field in _PRICES if field in values}),
        {field: source[field] for field in FIELDS if field in source},
    )


def known_values(info: ModelInfo) -> Iterable[tuple[str, Any]]:
    """The fields that are known, with their values."""
    for field in FIELDS:
        if (value := value_of(info, field)) is not None:
            yield field, value


def value_of(info: ModelInfo, field: str) -> Any:
    """The value of one of ``FIELDS``; None is unknown."""
    if field in _FEATURES:
        return getattr(info.features, field)
    return getattr(info.prices, field) if field in _PRICES else info.max_output_tokens


def _corrections(choice: ModelChoice) -> ModelInfo:
    given = {field: getattr(choice, field) for field in CORRECTABLE}
    return ModelInfo(
        "",
        "",
        ProviderFeatures(**{field: given[field] for field in _FEATURES if field in given}),
        given["max_output_tokens"],
        Prices(**{field: given[field] for field in _PRICES}),
    )
