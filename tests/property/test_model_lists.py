"""Whatever a server answers when it is asked for its models, what comes of it can be shown, kept and merged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.capabilities import FIELDS, Knowledge, value_of
from agdesk.core.providers.model_lists import MAX_NAME_CHARACTERS, ModelLists, believable
from agdesk.core.providers.parameters import parameters_of
from agdesk.core.providers.registry import WIRE_FORMATS, wire_format

NAMES = st.sampled_from(
    [
        *("id", "name", "model", "display_name", "displayName", "context_length", "max_model_len", "max_tokens"),
        *("capabilities", "supported_parameters", "reasoning", "supported_efforts", "pricing", "prompt", "completion"),
        *("architecture", "input_modalities", "top_provider", "meta", "n_ctx", "details", "families", "model_info"),
        *("supportedGenerationMethods", "inputTokenLimit", "thinking", "active", "general.architecture"),
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["image", "tools", "generateContent"]),
)
ENTRIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=6)),
    max_leaves=20,
)
DOCUMENTS = st.one_of(
    ENTRIES,
    st.fixed_dictionaries({"data": st.lists(ENTRIES, max_size=4)}),
    st.fixed_dictionaries({"models": st.lists(ENTRIES, max_size=4)}),
)


@pytest.mark.parametrize("name", WIRE_FORMATS)
@given(document=DOCUMENTS)
def test_any_document_gives_models_that_can_be_shown_and_merged(name, document):
    wire = wire_format(name)
    endpoint = Endpoint("server", "Server", name, "http://127.0.0.1/v1")
    for listed in believable(wire.parse_models(document)):
        assert listed.id.isprintable() and len(listed.id) <= MAX_NAME_CHARACTERS
        info = Knowledge(endpoint, "server", wire).of(listed.id, listed=listed)
        assert set(info.source) == {field for field in FIELDS if value_of(info, field) is not None}
        for field in ("max_context_window", "max_output_tokens"):
            assert value_of(info, field) is None or 0 < value_of(info, field) <= 2**53
        assert parameters_of(info, endpoint=endpoint, wire=wire)


@given(ids=st.lists(st.text(), max_size=8), document=DOCUMENTS)
def test_what_is_kept_is_what_was_listed(tmp_path_factory, ids, document):
    folder = tmp_path_factory.mktemp("lists") / "models"
    models = [*(ModelInfo(model_id, model_id) for model_id in ids), *wire_format("openai_chat").parse_models(document)]
    kept = ModelLists(folder).put("server", models, base_url="http://127.0.0.1/v1")
    assert ModelLists(folder).get("server", base_url="http://127.0.0.1/v1") == kept
