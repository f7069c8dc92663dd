"""The command line means the same request to a shell, and never has a key in it."""

import json
import os
import shlex
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.trace.curl import curl_command
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.wire import RequestSent

KEY = "sk-0123456789abcdef"
URL = "https://api.example/v1/chat"
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
NAME = st.from_regex(r"[A-Za-z0-9-]{1,12}", fullmatch=True)


def request(*headers, method="POST", url=URL):
    return RequestSent(method, url, Secrets([KEY]).redact_headers(headers), None)


@given(TEXT.filter(lambda text: text and not text.startswith("@")), st.lists(st.tuples(NAME, TEXT), max_size=4), TEXT)
def test_a_shell_reads_the_exact_arguments_back(body, headers, url):
    plain = [(f"x-{name}-id", value) for name, value in headers]
    command = curl_command(RequestSent("POST", url, tuple(plain), None), body.encode())
    words = shlex.split(command)
    expected = ["curl", "--request", "POST"]
    expected += ["--globoff"] if set(url) & set("[]{}") else []
    expected.append(url)
    for name, value in plain:
        expected += ["--header", f"{name}: {value}" if value else f"{name};"]
    assert words == [*expected, "--data-binary", body]


CURL = f"""#!{sys.executable}
import json, sys
piped = sys.stdin.buffer.read() if "@-" in sys.argv else b""
json.dump([sys.argv[1:], list(piped)], sys.stdout)
"""


def run(command, tmp_path, **variables):
    """What ``curl`` is called with by a real shell: its arguments, and what comes through the pipe."""
    program = tmp_path / "curl"
    program.write_text(CURL)
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", **variables}
    script = tmp_path / "command.sh"  # an argument could not hold every command
    script.write_text(command, encoding="utf-8")
    done = subprocess.run(["sh", str(script)], env=environment, capture_output=True, check=True)
    arguments, piped = json.loads(done.stdout)
    return arguments, bytes(piped)


@pytest.mark.skipif(os.name != "posix", reason="the quoting is that of POSIX shells")
@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "it\'s $HOME `date` \\\\ \\n \\"q\\" 100%"}\n',
        "多字节 ☕".encode(),
        b"line one\nline two\n\n",
        b"@/etc/passwd",
        b"with \0 and % and \\n and '",
        bytes(range(256)),
        "更多 100% \\n".encode() * 20_000,
        b"x" * (128 * 1024),
    ],
)
def test_any_body_arrives_at_curl_as_it_was_sent(body, tmp_path):
    arguments, piped = run(curl_command(request(), body), tmp_path)
    *_, option, value = arguments
    assert option == "--data-binary"
    assert (piped if value == "@-" else value.encode()) == body


@pytest.mark.skipif(os.name != "posix", reason="the quoting is that of POSIX shells")
def test_the_key_is_a_variable_of_the_shell(tmp_path):
    sent = request(("authorization", f"Bearer {KEY}"), ("x-api-key", KEY), ("x-note", f"it has {KEY} inside"))
    command = curl_command(sent, b"", variable="TEST_API_KEY")
    assert KEY not in command and "key-" not in command
    assert "'authorization: Bearer '\"$TEST_API_KEY\"" in command
    arguments, _ = run(command, tmp_path, TEST_API_KEY=KEY)
    assert [a for a in arguments if ":" in a][1:] == [
        f"authorization: Bearer {KEY}",
        f"x-api-key: {KEY}",
        f"x-note: it has {KEY} inside",
    ]


def test_a_key_in_the_address_is_the_variable_too():
    url = Secrets([KEY]).redact_text(f"{URL}?key={KEY}&alt=sse")
    words = shlex.split(curl_command(request(url=url), b"{}", variable="TEST_API_KEY"))
    assert f"{URL}?key=$TEST_API_KEY&alt=sse" in words


@pytest.mark.parametrize("variable", ["", "not a name", "A;rm -rf x", "1ST"])
def test_what_is_no_name_of_a_variable_is_not_used_as_one(variable):
    command = curl_command(request(("authorization", f"Bearer {KEY}")), b"", variable=variable)
    assert '"$API_KEY"' in command and "rm" not in command
