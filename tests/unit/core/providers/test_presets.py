"""Rows: what ships is right, what is wrong is named by file and field, and addresses are put in order."""

from __future__ import annotations

import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.dialect import MediaKind, ReasoningReplay
from agdesk.core.providers.presets import (
    at_base_url,
    is_local_host,
    normalize_base_url,
    read_endpoint,
    shipped_endpoints,
)
from agdesk.core.providers.registry import ProviderRegistry

ROW = 'id = "x"\nname = "X"\nwire = "openai_chat"\nbase_url = "https://x.example/v1"\n'


@pytest.fixture
def row(tmp_path):
    def write(text=ROW, name="x"):
        file = tmp_path / f"{name}.toml"
        file.write_text(text)
        return file

    return write


def test_the_rows_that_ship_are_valid():
    assert set(shipped_endpoints()) >= {"builtin", "openai", "custom"}


def test_the_builtin_row_says_what_is_known_of_the_model():
    builtin = shipped_endpoints()["builtin"]
    assert builtin.is_local
    assert builtin.is_free
    assert not builtin.needs_key
    assert builtin.first_byte_timeout_s is None
    assert dict(builtin.headers) == {"Connection": "close"}
    assert builtin.dialect.default_system
    assert builtin.dialect.sends_usage_option
    (model,) = builtin.models
    features = model.features
    assert model.id == "smollm2-135m"
    assert (features.tool_use, features.vision, features.thinking) == (False, False, False)
    assert model.source["tool_use"] == "preset"


def test_the_openai_row_names_its_key_and_its_output_limit():
    openai = shipped_endpoints()["openai"]
    assert openai.base_url == "https://api.openai.com/v1"
    assert (openai.key_env, openai.needs_key) == ("OPENAI_API_KEY", True)
    assert openai.dialect.max_tokens_field == "max_completion_tokens"


def test_azure_has_no_address_until_the_user_gives_the_resource(tmp_path):
    azure = shipped_endpoints()["azure-openai"]
    for typed in ("my-resource.openai.azure.com", "https://my-resource.openai.azure.com/openai/v1/chat/completions"):
        assert at_base_url(azure, typed).base_url == "https://my-resource.openai.azure.com/openai/v1"
    with pytest.raises(ConfigurationError) as caught:
        ProviderRegistry(data_folder=tmp_path).get("azure-openai")
    assert caught.value.message == "Azure OpenAI has no base URL"
    assert "Settings" in caught.value.hint and "--base-url" in caught.value.hint


def test_rows_of_one_provider_in_two_regions_have_their_own_keys_and_the_same_dialect():
    rows = shipped_endpoints()
    for one, other in (("qwen", "qwen-cn"), ("moonshot", "moonshot-cn")):
        assert rows[one].base_url != rows[other].base_url
        assert rows[one].dialect == rows[other].dialect


def test_lists_of_words_in_a_row_are_taken_over(row):
    dialect = read_endpoint(row(ROW + '[dialect]\nmedia = ["image"]\ntool_choices = []\n')).dialect
    assert dialect.media == (MediaKind.IMAGE,)
    assert dialect.tool_choices == ()


def test_every_field_of_a_row_is_taken_over(row):
    endpoint = read_endpoint(
        row(
            ROW + 'needs_key = false\nidle_timeout_s = 7\nfirst_byte_timeout_s = "none"\n[headers]\nX-A = "1"\n'
            '[dialect]\nreasoning_replay = "tool_turns"\n[[models]]\nid = "m"\ndisplay_name = "M"\n'
            "max_output_tokens = 5\n[models.features]\nvision = true\n"
        )
    )
    assert (endpoint.needs_key, endpoint.idle_timeout_s, endpoint.first_byte_timeout_s) == (False, 7.0, None)
    assert dict(endpoint.headers) == {"X-A": "1"}
    assert endpoint.dialect.reasoning_replay is ReasoningReplay.TOOL_TURNS
    (model,) = endpoint.models
    assert (model.max_output_tokens, model.features.vision, model.features.tool_use) == (5, True, None)
    assert model.source == {"vision": "preset"}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (ROW.replace('name = "X"\n', ""), "name"),
        (ROW + "needs_key = 1\n", "needs_key"),
        (ROW + "idle_timeout_s = true\n", "idle_timeout_s"),
        (ROW + 'idle_timeout_s = "never"\n', "idle_timeout_s"),
        (ROW + "colour = 1\n", "colour"),
        (ROW + "[dialect]\ntemperature = 1\n", "dialect.temperature"),
        (ROW + '[dialect]\nreasoning_replay = "sometimes"\n', "dialect.reasoning_replay"),
        (ROW + '[dialect]\nmedia = ["image", "video"]\n', "dialect.media.1"),
        (ROW + '[dialect]\nthinking_style = "loud"\n', "dialect.thinking_style"),
        (ROW + 'key_header = "x-note"\n', "key_header"),
        (ROW + "[headers]\nX = 1\n", "headers.X"),
        (ROW + '[[models]]\nid = "m"\n', "models.0.display_name"),
        (
            ROW + '[[models]]\nid = "a"\ndisplay_name = "A"\n[[models]]\nid = "m"\ndisplay_name = "M"\nfast = true\n',
            "models.1.fast",
        ),
        (
            ROW + '[[models]]\nid = "a"\ndisplay_name = "A"\n[models.features]\nmagic = true\n',
            "models.0.features.magic",
        ),
        (ROW.replace('id = "x"', 'id = "y"'), "id"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_field(row, text, field):
    file = row(text)
    with pytest.raises(ConfigurationError) as caught:
        read_endpoint(file)
    assert f"{file}, field {field}:" in caught.value.message


@pytest.mark.parametrize("text", ["id = ", "since = 2020-01-01\n" + ROW])
def test_a_row_that_is_no_row_is_named_by_file(row, text):
    file = row(text)
    with pytest.raises(ConfigurationError) as caught:
        read_endpoint(file)
    assert str(file) in caught.value.message


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://api.example/v1", "https://api.example/v1"),
        (" https://api.example/v1/ ", "https://api.example/v1"),
        ("https://api.example/v1//", "https://api.example/v1"),
        ("https://api.example/v1/v1", "https://api.example/v1"),
        ("https://api.example/v1/chat/completions", "https://api.example/v1"),
        ("https://api.example", "https://api.example/v1"),
        ("api.example/api/paas/v4/", "https://api.example/api/paas/v4"),
        ("localhost:11434", "http://127.0.0.1:11434/v1"),
        ("HTTP://LocalHost:1234/", "http://127.0.0.1:1234/v1"),
        ("192.168.1.20:8080/v1", "http://192.168.1.20:8080/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_l15_a_base_url_is_put_in_order(typed, url):
    assert normalize_base_url(typed) == url
    assert normalize_base_url(url) == url


@pytest.mark.parametrize("typed", ["", "   ", "ftp://host/v1", "file:///etc/passwd", "http://", "http://host:port/v1"])
def test_what_is_no_address_is_refused(typed):
    with pytest.raises(ConfigurationError, match="not the address of a server"):
        normalize_base_url(typed)


@pytest.mark.parametrize(
    "typed", ["https://me:hunter2@host/v1", "https://host/v1?key=hunter2", "https://host/#hunter2"]
)
def test_an_address_with_a_secret_in_it_is_refused_without_repeating_it(typed):
    with pytest.raises(ConfigurationError) as caught:
        normalize_base_url(typed)
    assert "hunter2" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("printer.local", True),
        ("api.openai.com", False),
        ("8.8.8.8", False),
        ("localhost.evil.example", False),
    ],
)
def test_l16_hosts_of_this_machine_and_of_private_networks_are_local(host, is_local):
    assert is_local_host(host) is is_local


def test_a_local_address_waits_for_its_first_byte_as_long_as_it_takes():
    custom = shipped_endpoints()["custom"]
    assert at_base_url(custom, "localhost:8080").first_byte_timeout_s is None
    assert at_base_url(custom, "localhost:8080").is_local
    assert at_base_url(custom, "https://api.example/v1").first_byte_timeout_s == 300.0
    assert not at_base_url(custom, "https://api.example/v1").is_local
