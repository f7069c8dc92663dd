"""The built-in model's row as it is set: which file is served, and how much context it has."""

from __future__ import annotations

import dataclasses

from agdesk.core.providers.base import Endpoint, ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.llama_child import model_id_of
from agdesk.core.providers.llama_server import LlamaOptions


def served_model(endpoint: Endpoint, options: LlamaOptions) -> ModelInfo:
    """What is known of the file that is served: the row's model, or next to nothing of another one."""
    model = endpoint.models[0]
    if options.gguf is not None and (model_id := model_id_of(options.gguf)) != model.id:
        features = ProviderFeatures(streaming=True, system_prompt_in_messages=True)
        source = {"streaming": "preset", "system_prompt_in_messages": "preset"}
        model = ModelInfo(model_id, options.gguf.name, features, source=source)
    free = {"input_per_million": "preset", "output_per_million": "preset"}
    return dataclasses.replace(
        model,
        features=dataclasses.replace(model.features, max_context_window=options.n_ctx),
        prices=Prices(0.0, 0.0),
        source={**model.source, **free, "max_context_window": "settings"},
    )
