"""What a workspace says about models: rows, corrections, parameters, the choice of one, and who is told of changes."""

from __future__ import annotations

import asyncio

import pytest

from agdesk.core.errors import ConfigurationError, LlmError, SettingsError
from agdesk.core.ir.response import Usage
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.providers.router import AUTO, Needs
from agdesk.core.workspace import Workspace
from tests.fakes.keyrings import MemoryKeyring, secret_store
from tests.fakes.script import END, JSON, FakeServer, head, send

USED = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)


@pytest.fixture
def workspace(tmp_path):
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(MemoryKeyring({}), environment={})
    return Workspace(registry, data_dir=tmp_path)


@pytest.fixture
def loaded(workspace):
    workspace.load_models()
    return workspace


def changes(workspace):
    seen = []
    workspace.models_changed.subscribe(seen.append)
    return seen


async def test_there_are_no_rows_until_they_are_loaded_and_asking_does_not_load_them(workspace):
    assert workspace.model_rows() == workspace.model_refs() == ()
    assert workspace.model_info("openai/gpt-4o") == ModelInfo("gpt-4o", "gpt-4o")
    await workspace.change_settings({"models.openai/gpt-4o.vision": False})
    assert workspace.model_rows() == ()


async def test_the_defaults_provider_comes_first_and_references_follow_the_rows(loaded):
    assert loaded.model_refs()[0] == "builtin/smollm2-135m"
    assert loaded.model_refs() == tuple(row.ref for row in loaded.model_rows())
    seen = changes(loaded)
    await loaded.change_settings({"chat.default_model": "openai/gpt-4o"})
    assert loaded.model_refs()[0].startswith("openai/")
    assert seen == [None]


async def test_a_correction_is_told_and_holds_until_it_is_taken_back(loaded):
    seen = changes(loaded)
    await loaded.correct_model("openai/gpt-4o", "vision", False)
    info = loaded.model_info("openai/gpt-4o")
    assert (info.features.vision, info.source["vision"], seen) == (False, "user", [None])
    (row,) = (row for row in loaded.model_rows() if row.ref == "openai/gpt-4o")
    assert row.model == info
    await loaded.correct_model("openai/gpt-4o", "vision", None)
    assert loaded.model_info("openai/gpt-4o").source["vision"] == "catalogue"


@pytest.mark.parametrize(
    ("field", "value"), [("no_such", True), ("vision", "yes"), ("max_context_window", 0), ("tool_mode", "magic")]
)
async def test_a_correction_that_cannot_be_is_refused(loaded, field, value):
    with pytest.raises(SettingsError):
        await loaded.correct_model("openai/gpt-4o", field, value)
    assert loaded.model_info("openai/gpt-4o").features.vision is True


async def test_other_settings_are_no_news_about_models(loaded):
    seen = changes(loaded)
    await loaded.change_settings({"appearance.theme": "dark"})
    assert seen == []


async def test_a_key_makes_models_usable_and_is_told(loaded):
    told = asyncio.Event()
    loaded.models_changed.subscribe(lambda _: told.set())
    assert not any(row.is_usable for row in loaded.model_rows() if row.provider_id == "openai")
    loaded.secrets.hold("openai", "key-0123456789")
    await asyncio.wait_for(told.wait(), 20)
    assert all(row.is_usable for row in loaded.model_rows() if row.provider_id == "openai")


async def test_a_list_that_is_asked_for_is_told(loaded):
    seen = changes(loaded)
    with FakeServer() as server:
        await loaded.change_settings({"providers.custom.base_url": server.base_url})
        seen.clear()
        server.script(head(200, JSON), send('{"data": [{"id": "mine"}]}'), END)
        assert (await loaded.refresh_models("custom")).model_count == 1
    assert "custom/mine" in loaded.model_refs()
    assert seen == [None]
    with pytest.raises(LlmError):
        await loaded.refresh_models("custom")
    assert "custom/mine" in loaded.model_refs()
    await loaded.aclose()


async def test_what_a_model_refused_can_be_forgotten_one_by_one(loaded):
    await loaded.correct_model("openai/gpt-4o", "refused", ["seed", "top_p"])
    await loaded.forget_refused("openai/gpt-4o", ("seed",))
    assert loaded.model_info("openai/gpt-4o").refused == ("top_p",)
    assert not next(p for p in loaded.parameters("openai/gpt-4o") if p.name == "seed").is_refused
    await loaded.forget_refused("openai/gpt-4o", ("top_p",))
    assert "openai/gpt-4o" not in loaded.settings.models
    await loaded.forget_refused("openai/never-seen", ("seed",))


async def test_parameters_are_those_of_the_model_where_it_is(loaded):
    found = {parameter.name: parameter for parameter in loaded.parameters("openai/gpt-5")}
    assert found["temperature"].is_refused and not found["max_tokens"].is_refused
    assert found["thinking.effort"].choices == ("minimal", "low", "medium", "high")
    await loaded.correct_model("openai/gpt-4o", "refused", ["seed"])
    seed = next(p for p in loaded.parameters("openai/gpt-4o") if p.name == "seed")
    assert (seed.reason, seed.remembered) == ("it was refused once", ("seed",))
    assert {(p.name, p.is_refused, p.high) for p in loaded.parameters(AUTO)} >= {("temperature", False, None)}
    with pytest.raises(ConfigurationError):
        loaded.parameters("nowhere/m")


async def test_a_reference_to_a_model_is_that_model_and_auto_is_chosen(loaded):
    assert await loaded.resolve_model("openai/gpt-4o", Needs(vision=True)) == "openai/gpt-4o"
    assert await loaded.resolve_model(AUTO, Needs()) == "builtin/smollm2-135m"
    with pytest.raises(ConfigurationError, match="No model that can be used has vision"):
        await loaded.resolve_model(AUTO, Needs(vision=True))
    loaded.secrets.hold("openai", "key-0123456789")
    chosen = loaded.model_info(await loaded.resolve_model(AUTO, Needs(vision=True, tool_use=True)))
    assert chosen.features.vision is chosen.features.tool_use is True


async def test_auto_needs_no_warm_up(workspace):
    assert await workspace.resolve_model(AUTO, Needs(min_context_window=1000)) == "builtin/smollm2-135m"


async def test_costs_are_those_of_the_endpoint_that_was_asked(loaded):
    await loaded.change_settings({"providers.openai-work.preset": "openai"})
    plain, account, custom, gone, reported = loaded.costs_usd(
        [
            ("openai/gpt-4o-mini", USED),
            ("openai-work/gpt-4o-mini", USED),
            ("custom/gpt-4o-mini", USED),
            ("no-more/gpt-4o-mini", USED),
            ("no-more/gpt-4o-mini", Usage(1, 1, cost_usd=0.5)),
        ]
    )
    assert plain == account is not None
    assert custom is gone is None
    assert reported == 0.5
    assert loaded.costs_usd([("", USED)]) == [None]


async def test_a_corrected_price_is_what_a_request_costs(loaded):
    await loaded.correct_model("custom/mine", "input_per_million", 1.0)
    assert loaded.costs_usd([("custom/mine", USED)]) == [None]
    await loaded.correct_model("custom/mine", "output_per_million", 2.5)
    assert loaded.costs_usd([("custom/mine", USED)]) == [3.5]


async def test_a_kept_list_is_there_at_the_next_start(workspace, tmp_path):
    listed = ModelInfo("gpt-99", "GPT-99", ProviderFeatures(vision=True))
    workspace.registry.table.lists.put("openai", [listed], base_url="https://api.openai.com/v1")
    other = Workspace(ProviderRegistry(data_folder=tmp_path), data_dir=tmp_path)
    await asyncio.to_thread(other.load_models)
    assert other.model_info("openai/gpt-99").features.vision is True
    await other.aclose()


async def test_an_account_that_goes_takes_its_list_with_it(loaded, tmp_path):
    await loaded.accounts.add("openai", account_id="openai-work")
    listed = ModelInfo("gpt-99", "GPT-99")
    loaded.registry.table.lists.put("openai-work", [listed], base_url="https://api.openai.com/v1")
    await loaded.accounts.remove("openai-work")
    assert list((tmp_path / "models").iterdir()) == []
    assert not any(ref.startswith("openai-work/") for ref in loaded.model_refs())
