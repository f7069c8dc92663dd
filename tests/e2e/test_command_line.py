"""The commands as a shell runs them: output, exit status, and what stays out of it (RUN5)."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil  # type: ignore[import-untyped]
import pytest

from tests.fakes.script import END, HOLD, JSON, SSE, FakeServer, head, send

KEY = "canary-key-0123456789abcdef"
CHUNK = 'data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}\n\n'
FINISH = 'data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n'
DONE = "data: [DONE]\n\n"
ANSWER = CHUNK % '"Bon"' + CHUNK % '"jour"' + FINISH + USAGE + DONE


@pytest.fixture(scope="module")
def _server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def server(_server):
    _server.forget()
    return _server


def command(tmp_path, *arguments):
    return [sys.executable, "-m", "agdesk", "--data-dir", str(tmp_path / "data"), *arguments]


def run(tmp_path, *arguments, **environment):
    return subprocess.run(
        command(tmp_path, *arguments), capture_output=True, text=True, timeout=50, env=os.environ | environment
    )


def ask(tmp_path, server, *arguments, **environment):
    return run(tmp_path, "ask", "--model", "custom/m", "--base-url", server.base_url, *arguments, **environment)


def test_ask_prints_the_answer_and_ends_with_0(tmp_path, server):
    server.script(head(200, SSE), send(ANSWER), END)
    done = ask(tmp_path, server, "--system", "Be brief.", "Say hello")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Bonjour\n", "")
    sent = server.requests[0].json
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert sent["model"] == "m"


def test_ask_sends_the_parameters_that_are_set_and_no_others(tmp_path, server):
    server.script(head(200, SSE), send(ANSWER), END)
    set_here = ("--param", "temperature=0.2", "--param", 'stop=["END"]', "--param", 'extra={"top_k": 5}')
    done = ask(tmp_path, server, *set_here, "Say hello")
    assert (done.returncode, done.stderr) == (0, "")
    sent = server.requests[0].json
    assert (sent["temperature"], sent["stop"], sent["top_k"]) == (0.2, ["END"], 5)
    assert not {"top_p", "max_tokens", "max_completion_tokens", "seed", "response_format"} & sent.keys()


@pytest.mark.parametrize("text", ["temperature", "temperature=warm", 'temperature="warm"', "warmth=1"])
def test_a_parameter_that_cannot_be_is_wrong_usage_and_nothing_is_sent(tmp_path, server, text):
    done = ask(tmp_path, server, "--param", text, "Say hello")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--param" in done.stderr and text.partition("=")[0] in done.stderr
    assert server.requests == []


def test_ask_json_is_the_documented_object(tmp_path, server):
    server.script(head(200, SSE, ("x-request-id", "req_7")), send(ANSWER), END)
    document = json.loads(ask(tmp_path, server, "--json", "Say hello").stdout)
    assert document["message"] == {"role": "assistant", "content": [{"type": "text", "text": "Bonjour"}]}
    assert document["usage"]["prompt_tokens"] == 5
    assert (document["usage"]["completion_tokens"], document["usage"]["total_tokens"]) == (2, 7)
    assert (document["stop_reason"], document["raw_stop_reason"]) == ("end_turn", "stop")
    assert (document["error"], document["incomplete"], document["ignored_fields"]) == (None, False, 0)
    assert (document["id"], document["model"], document["request_id"]) == ("c1", "m", "req_7")
    assert document["latency_ms"] > 0
    assert document["ledger"] == [], "nothing was left out or changed"
    assert document["cost"] is None, "nobody knows what a custom server costs"


def test_ask_events_are_lines_with_the_bytes_each_came_from(tmp_path, server):
    server.script(head(200, SSE), send(ANSWER), END)
    lines = [json.loads(line) for line in ask(tmp_path, server, "--events", "hi").stdout.splitlines()]
    deltas = [line for line in lines if line["event"]["type"] == "text_delta"]
    assert [line["event"]["text"] for line in deltas] == ["Bon", "jour"]
    start, end = deltas[1]["frame"]
    assert ANSWER.encode()[start:end] == (CHUNK % '"jour"').encode()
    assert lines[-1]["event"]["type"] == "message_complete"
    assert [line["seq"] for line in lines] == sorted(line["seq"] for line in lines)


def test_a_refusal_of_the_provider_is_printed_and_ends_with_1(tmp_path, server):
    body = json.dumps({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}})
    server.script(head(401, JSON), send(body), END)
    done = ask(tmp_path, server, "hi")
    assert done.returncode == 1
    assert "Incorrect API key provided" in done.stderr
    server.script(head(401, JSON), send(body), END)
    error = json.loads(ask(tmp_path, server, "--json", "hi").stdout)["error"]
    assert (error["category"], error["status"], error["code"]) == ("auth", 401, "invalid_api_key")
    assert error["retryable"] is False


def test_the_key_goes_to_the_server_and_nowhere_else(tmp_path, server):
    echo = CHUNK % json.dumps(f"your key is {KEY}") + FINISH + DONE
    for flags in ((), ("--json",), ("--events",)):
        server.script(head(200, SSE, ("x-echo", KEY)), send(echo), END)
        done = ask(tmp_path, server, *flags, "hi", AGDESK_CUSTOM_KEY=KEY)
        assert done.returncode == 0
        assert KEY not in done.stdout + done.stderr
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    doctor = run(tmp_path, "doctor", "--json", AGDESK_CUSTOM_KEY=KEY)
    custom = next(row for row in json.loads(doctor.stdout)["providers"] if row["id"] == "custom")
    assert (custom["key_present"], custom["source"]) == (True, "env:AGDESK_CUSTOM_KEY")
    kept = [path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not any(KEY.encode() in content for content in [*kept, doctor.stdout.encode()])


def test_ctrl_c_stops_at_once_closes_the_connection_and_says_130(tmp_path, server):
    server.script(head(200, SSE), send(CHUNK % '"half"'), HOLD)
    process = subprocess.Popen(
        command(tmp_path, "ask", "--model", "custom/m", "--base-url", server.base_url, "hi"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.read(4) == "half"
    stopped_at = time.time()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 130
    assert errors == ""
    assert server.wait_for_disconnect() - stopped_at < 1.0


@pytest.mark.model
def test_ctrl_c_ends_the_built_in_model_within_a_second_and_leaves_no_process(tmp_path):
    process = subprocess.Popen(
        command(tmp_path, "ask", "--model", "builtin/smollm2-135m", "Write a long story about a ship."),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.read(4)
    (child,) = psutil.Process(process.pid).children(recursive=True)
    stopped_at = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    child.wait(timeout=5)
    assert time.monotonic() - stopped_at < 3.0  # 0.2 s on an idle machine
    assert process.returncode == 130


@pytest.mark.model
def test_the_built_in_model_answers_with_real_usage_and_is_free(tmp_path):
    done = run(tmp_path, "ask", "--model", "builtin/smollm2-135m", "--json", "Say hello in French.")
    document = json.loads(done.stdout)
    assert document["error"] is None
    assert document["message"]["content"][0]["text"].strip()
    assert document["usage"]["prompt_tokens"] > 10
    assert document["usage"]["completion_tokens"] > 0
    assert document["cost"] == 0
    assert document["ignored_fields"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ask", "hi"), "--model"),
        (("ask", "--model", "openai/x", "--json", "--events", "hi"), "not allowed"),
        (("nonsense",), "invalid choice"),
        (("replay", "nowhere.body", "--format", "openai_chat"), "nowhere.body"),
        (("replay", __file__, "--format", "telepathy"), "telepathy"),
        (("replay", __file__, "--format", "openai_chat", "--provider", "nobody"), "nobody"),
        (("replay", __file__, "--format", "openai_chat", "--header", "no colon"), "not a header"),
        (("replay", __file__, "--format", "openai_chat", "--chunk", "0"), "at least 1"),
    ],
)
def test_wrong_usage_names_the_thing_and_ends_with_2(tmp_path, arguments, words):
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("model", "status"), [("nobody/x", 1), ("nonsense", 2), ("openai/", 2), ("/m", 2)])
def test_a_model_that_names_nothing_is_a_clear_error(tmp_path, model, status):
    done = run(tmp_path, "ask", "--model", model, "hi")
    assert done.returncode == status
    assert model.removesuffix("/x") in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_key_names_its_variable(tmp_path):
    done = run(tmp_path, "ask", "--model", "openai/gpt-5", "hi")
    assert done.returncode == 1
    assert "OPENAI_API_KEY" in done.stderr


def test_a_settings_file_that_cannot_be_read_is_told_and_the_answer_comes_all_the_same(tmp_path, server):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text("[providers.custom\n")
    server.script(head(200, SSE), send(ANSWER), END)
    done = ask(tmp_path, server, "hi")
    assert (done.returncode, done.stdout) == (0, "Bonjour\n")
    assert "settings.toml, line 1" in done.stderr


def test_an_error_of_a_server_cannot_command_the_terminal(tmp_path, server):
    body = json.dumps({"error": {"message": "\x1b]0;PWNED\x07\x1b[31mred"}})
    server.script(head(400, JSON), send(body), END)
    done = ask(tmp_path, server, "hi")
    assert "\x1b" not in done.stderr
    assert "PWNED" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_an_answer_cannot_command_the_terminal(tmp_path):
    import pty

    body = tmp_path / "answer.body"
    body.write_text(CHUNK % json.dumps("A\x1b[31mred\n\tend") + FINISH + DONE)
    ours, theirs = pty.openpty()
    arguments = command(tmp_path, "replay", str(body), "--format", "openai_chat")
    assert subprocess.run(arguments, stdout=theirs, timeout=50, check=True).returncode == 0
    os.close(theirs)
    seen = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in seen
    assert b"A\\x1b[31mred\r\n\tend" in seen


@pytest.mark.parametrize("chunk", [(), ("--chunk", "1"), ("--chunk", "7")])
def test_replay_prints_the_text_or_the_object_whatever_the_reads(tmp_path, chunk):
    body = tmp_path / "answer.body"
    body.write_text(ANSWER)
    plain = run(tmp_path, "replay", str(body), "--format", "openai_chat", *chunk)
    assert (plain.returncode, plain.stdout) == (0, "Bonjour\n")
    document = json.loads(run(tmp_path, "replay", str(body), "--format", "openai_chat", "--json", *chunk).stdout)
    assert document["usage"]["total_tokens"] == 7


def test_replay_of_an_error_ends_with_1_and_classifies_it(tmp_path):
    body = tmp_path / "error.body"
    body.write_text('{"error":{"message":"slow down","type":"rate_limit_error"}}')
    flags = ("--format", "openai_chat", "--status", "429", "--header", "retry-after: 3", "--json")
    done = run(tmp_path, "replay", str(body), *flags)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["category"], error["retry_after"], error["retryable"]) == (
        1,
        "rate_limit",
        3.0,
        True,
    )


def test_models_lists_the_built_in_model_with_what_is_known(tmp_path):
    rows = json.loads(run(tmp_path, "models", "--json").stdout)["models"]
    builtin = next(row for row in rows if row["provider"] == "builtin")
    assert builtin["features"]["tool_use"] is False
    assert builtin["features"]["max_context_window"] == 4096
    unknown = next(row for row in rows if row["provider"] == "openai")
    assert unknown["features"]["audio_input"] is None
    assert "unknown" in run(tmp_path, "models").stdout


def test_models_asks_the_users_own_server_for_its_list(tmp_path, server):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text(f'[providers.custom]\nbase_url = "{server.base_url}"\n')
    server.script(head(200, JSON), send('{"data": [{"id": "mine", "max_model_len": 8192}]}'), END)
    rows = json.loads(run(tmp_path, "models", "--json").stdout)["models"]
    (mine,) = (row for row in rows if row["provider"] == "custom")
    assert (mine["id"], mine["features"]["max_context_window"]) == ("mine", 8192)
    assert mine["source"]["max_context_window"] == "list"
    server.script(head(500, JSON), send("{}"), END)
    failed = run(tmp_path, "models")
    assert failed.returncode == 1
    assert "builtin/smollm2-135m" in failed.stdout, "what is known is printed all the same"
    assert failed.stderr


def test_models_says_of_every_value_where_it_comes_from(tmp_path):
    (tmp_path / "data").mkdir()
    settings = '[models."openai/gpt-4o"]\nvision = false\n'
    (tmp_path / "data" / "settings.toml").write_text(settings)
    rows = json.loads(run(tmp_path, "models", "--json").stdout)["models"]
    (row,) = (row for row in rows if (row["provider"], row["id"]) == ("openai", "gpt-4o"))
    assert (row["features"]["vision"], row["source"]["vision"]) == (False, "user")
    assert row["source"]["max_context_window"] == "catalogue"
    (line,) = (line for line in run(tmp_path, "models").stdout.splitlines() if line.startswith("openai/gpt-4o "))
    assert "no (user)" in line and "128,000 (catalogue)" in line and "unknown" in line


def test_models_asks_a_provider_for_its_list_and_keeps_it(tmp_path, server):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text(f'[providers.vllm]\nbase_url = "{server.base_url}"\n')
    server.script(head(200, JSON), send('{"data": [{"id": "qwen", "max_model_len": 32768}]}'), END)
    asked = run(tmp_path, "models", "--refresh", "vllm", "--json")
    assert (asked.returncode, asked.stderr) == (0, "")
    for document in (asked.stdout, run(tmp_path, "models", "--json").stdout):
        (row,) = (row for row in json.loads(document)["models"] if row["provider"] == "vllm")
        assert (row["id"], row["features"]["max_context_window"], row["local"]) == ("qwen", 32768, True)
    server.script(head(500, JSON), send("{}"), END)
    failed = run(tmp_path, "models", "--refresh", "all", "--json")
    assert failed.returncode == 1 and failed.stderr
    assert any(row["id"] == "qwen" for row in json.loads(failed.stdout)["models"]), "the old list stays"
    nowhere = run(tmp_path, "models", "--refresh", "nowhere")
    assert nowhere.returncode == 1 and "nowhere" in nowhere.stderr


def test_models_tells_what_of_a_list_is_left_out_and_keeps_its_columns_straight(tmp_path, server):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text(f'[providers.vllm]\nbase_url = "{server.base_url}"\n')
    server.script(head(200, JSON), send(b'{"data": [{"id": "\xff"}, {"id": "\xe5\x8d\x83\xe9\x97\xae"}]}'), END)
    asked = run(tmp_path, "models", "--refresh", "vllm")
    assert asked.returncode == 0
    assert asked.stderr == "agdesk: of the list of vllm are left out, as they cannot be shown: 1\n"
    title, *lines = asked.stdout.splitlines()
    (line,) = (line for line in lines if line.startswith("vllm/千问 "))
    assert line.index("unknown") == title.index("window") - 2, "each of the two characters is two columns wide"


def test_ask_needs_takes_a_model_that_is_known_to_fit_and_says_which(tmp_path, server):
    (tmp_path / "data").mkdir()
    settings = f'[providers.custom]\nbase_url = "{server.base_url}"\n'
    settings += '[models."custom/blind"]\nvision = false\n[models."custom/unknown"]\ntool_use = true\n'
    settings += '[models."custom/sees"]\nvision = true\ntool_use = true\nmax_context_window = 200000\n'
    (tmp_path / "data" / "settings.toml").write_text(settings)
    server.script(head(200, SSE), send(ANSWER), END)
    done = run(tmp_path, "ask", "--needs", "vision,tools,200k", "Say hello")
    assert (done.returncode, done.stdout) == (0, "Bonjour\n")
    assert server.requests[0].json["model"] == "sees"
    assert done.stderr == (
        "agdesk: custom/sees was taken: it is known to have vision, tools and a window of 200,000 tokens\n"
    )


def test_ask_needs_that_nobody_meets_names_what_is_missing_and_asks_nobody(tmp_path):
    done = run(tmp_path, "ask", "--needs", "vision", "hi")
    assert (done.returncode, done.stdout) == (1, "")
    assert "No model that can be used has vision" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--needs", "smells", "hi"),
        ("--needs", "vision", "--model", "custom/m", "hi"),
        ("hi",),
        ("--needs", "vision", "--base-url", "http://127.0.0.1:1", "hi"),
    ],
)
def test_ask_wants_a_model_or_needs_that_mean_something(tmp_path, arguments):
    done = run(tmp_path, "ask", *arguments)
    assert done.returncode == 2
    assert done.stderr


def test_doctor_says_everything_a_report_needs(tmp_path):
    document = json.loads(run(tmp_path, "doctor", "--json").stdout)
    assert set(document) >= {
        "versions",
        "qt_platform",
        "keyring",
        "data_dir",
        "providers",
        "builtin_model",
        "mcp",
    }
    assert document["data_dir"] | {"logs": ""} == {"path": str(tmp_path / "data"), "writable": True, "logs": ""}
    assert document["builtin_model"]["state"] == "stopped"
    assert "built-in model: stopped" in run(tmp_path, "doctor").stdout


WATCHED = """
import sys
sys.addaudithook(lambda event, args: event == "subprocess.Popen" and print("STARTED", args[1], file=sys.stderr))
from agdesk.cli import main
main()
"""


def test_sec1_doctor_starts_no_process_that_would_get_the_keys_of_the_environment(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DBUS_", "PYTHON_KEYRING"))}
    env = kept | {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "OPENAI_API_KEY": KEY}
    arguments = [sys.executable, "-c", WATCHED, "--data-dir", str(tmp_path / "data"), "doctor"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=50, env=env, check=False)
    assert "provider openai: key present: yes" in done.stdout, done.stderr
    assert "STARTED" not in done.stderr


def test_doctor_lists_accounts_and_survives_an_address_that_is_none(tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "settings.toml").write_text(
        "[providers.openai-work]\npreset = 'openai'\n[providers.groq]\nbase_url = 'no address'\n"
    )
    rows = {row["id"]: row for row in json.loads(run(tmp_path, "doctor", "--json").stdout)["providers"]}
    assert (rows["openai-work"]["account_of"], rows["openai"]["account_of"]) == ("openai", None)
    assert (rows["openai-work"]["key_variable"], rows["openai-work"]["needs_key"]) == (None, True)
    text = run(tmp_path, "doctor").stdout
    assert "provider openai-work (an account of openai): key present: no (give it one in the settings" in text
    assert "provider groq: " in text


def test_a_data_folder_that_cannot_be_used_is_a_clear_error(tmp_path):
    (tmp_path / "data").write_text("a file, not a folder")
    for arguments in (("doctor",), ("ask", "--model", "custom/m", "hi"), ("models",)):
        done = run(tmp_path, *arguments)
        assert done.returncode != 0
        assert str(tmp_path / "data") in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a display")
def test_the_window_without_a_display_says_so(tmp_path):
    done = run(tmp_path, QT_QPA_PLATFORM="", WAYLAND_DISPLAY="", DISPLAY="")
    assert done.returncode == 1
    assert "there is no display" in done.stderr


def test_ask_json_says_what_was_left_out_of_the_request(tmp_path, server):
    server.script(head(200, SSE), send(ANSWER), END)
    (tmp_path / "data").mkdir(mode=0o700)
    refused = '[models."custom/m"]\nrefused = ["temperature", "stream_options"]\n'
    (tmp_path / "data" / "settings.toml").write_text(f"version = 2\n{refused}")
    document = json.loads(ask(tmp_path, server, "--json", "hi").stdout)
    assert document["ledger"] == ["'stream_options' was left out: the model refused it"]
    assert "stream_options" not in server.requests[0].json


def test_compact_plans_a_conversation_from_a_file_and_keeps_nothing(tmp_path):
    file = tmp_path / "conversation.json"
    result = {"role": "tool", "tool_call_id": "a", "content": "灯塔" * 2000}
    file.write_text(json.dumps([result, *({"role": "user", "content": "q"} for _ in range(6))]), encoding="utf-8")
    done = run(tmp_path, "compact", str(file), "--json")
    assert (done.returncode, done.stderr.count("\n")) == (0, 0)
    (item,) = json.loads(done.stdout)["items"]
    assert (item["size"], item["action"], item["estimate_before_tokens"]) == (4000, {"type": "replace"}, 16000)
    assert not (tmp_path / "data").exists()
    assert run(tmp_path, "compact", str(tmp_path)).returncode == 2
