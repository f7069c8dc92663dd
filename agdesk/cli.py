"""The command line. Every command loads only what it needs; only the window loads Qt."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from agdesk import __version__
from agdesk.core.errors import AgdeskError

EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs agdesk and returns the exit status: 0 done, 1 the provider or model failed, 2 wrong usage."""
    options = build_parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except AgdeskError as error:
        from agdesk.commands.report import report

        report(error.to_record())
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away; Python would complain about it once more on exit
        return EXIT_FAILED


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``agdesk``; docs/cli.md describes it."""
    parser = argparse.ArgumentParser(
        prog="agdesk", description="Chat with many language models and see exactly what they do."
    )
    parser.add_argument("--version", action="version", version=f"agdesk {__version__}")
    parser.add_argument("--data-dir", type=Path, metavar="D", help="folder for everything agdesk keeps")
    parser.set_defaults(command="window")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands (none opens the window)")

    ask = commands.add_parser("ask", help="ask a model one thing and print the answer")
    asked = ask.add_mutually_exclusive_group(required=True)
    asked.add_argument("--model", type=_model_ref, metavar="PROVIDER/MODEL")
    asked.add_argument("--needs", type=_needs, metavar="NEEDS", help="take a model that has: vision,tools,200k")
    ask.add_argument("--base-url", metavar="U", help="another address for the provider")
    ask.add_argument("--system", metavar="S", help="system prompt")
    ask.add_argument(
        "--param",
        type=_assignment,
        action="append",
        default=[],
        metavar="NAME=JSON",
        help="a parameter of the request, as in temperature=0.2; repeatable",
    )
    output = ask.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object at the end")
    output.add_argument("--events", action="store_true", help="print one JSON event a line, as they arrive")
    ask.add_argument("prompt", metavar="PROMPT")
    ask.set_defaults(command="ask")

    replay = commands.add_parser("replay", help="decode a recorded response body as the program itself would")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument("--format", required=True, metavar="FORMAT", help="the wire format, for example openai_chat")
    replay.add_argument("--provider", metavar="ID", help="decode as this provider would (its dialect)")
    replay.add_argument("--model", default="", metavar="M")
    replay.add_argument("--status", type=int, default=200, metavar="N")
    replay.add_argument("--header", action="append", default=[], metavar="'K: V'", help="a response header; repeatable")
    replay.add_argument("--chunk", type=_positive, metavar="N", help="feed N bytes at a time (default: all at once)")
    output = replay.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--events", action="store_true", help="print one JSON event a line")
    replay.set_defaults(command="replay")

    compact = commands.add_parser("compact", help="show what compaction would do to a conversation")
    compact.add_argument("file", type=Path, metavar="FILE")
    compact.add_argument("--window", type=_positive, metavar="N", help="context window of the model, in tokens")
    compact.add_argument("--keep-recent", type=_count, metavar="N", help="newest messages that stay (default 6)")
    compact.add_argument("--thinking", action="store_true", help="compact thinking too")
    compact.add_argument("--json", action="store_true", help="print one JSON object")
    compact.set_defaults(command="compact")

    doctor = commands.add_parser("doctor", help="print what a bug report needs; never a secret")
    doctor.add_argument("--json", action="store_true")
    doctor.set_defaults(command="doctor")

    models = commands.add_parser("models", help="print what is known of every model")
    models.add_argument("--refresh", metavar="PROVIDER", help='ask a provider for its list first; "all" asks everyone')
    models.add_argument("--json", action="store_true")
    models.set_defaults(command="models")

    selftest = commands.add_parser("selftest")  # no help: not listed; used by make run, packaging and soak runs
    selftest.add_argument("--png", type=Path, metavar="F", help="save a picture of the window")
    selftest.set_defaults(command="selftest")

    serve = commands.add_parser("serve-model")  # the built-in model's child process
    serve.add_argument("--gguf", type=Path, required=True)
    serve.add_argument("--n-ctx", type=_positive, required=True)
    serve.set_defaults(command="serve-model")
    return parser


def _model_ref(text: str) -> str:
    if not all(text.partition("/")):
        raise argparse.ArgumentTypeError(f"{text!r} names no model; write it as PROVIDER/MODEL, as in openai/gpt-5")
    return text


def _needs(text: str) -> object:
    from agdesk.core.providers.router import parse_needs

    try:
        return parse_needs(text)
    except AgdeskError as error:
        raise argparse.ArgumentTypeError(f"{error.message}. {error.hint}") from error


def _assignment(text: str) -> str:
    from agdesk.core.providers.parameter_values import read_values

    try:
        read_values((text,))
    except AgdeskError as error:
        raise argparse.ArgumentTypeError(f"{error.message}. {error.hint}") from error
    return text


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must be at least 0")
    return value


def _window(options: argparse.Namespace) -> int:
    if sys.platform == "linux" and not any(map(os.environ.get, ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"))):
        # Qt would abort
        print(
            "agdesk: there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set. Start it in a desktop's session, "
            "or use the commands (agdesk --help).",
            file=sys.stderr,
        )
        return 1
    from agdesk.app import run_window

    return run_window(options.data_dir)


def _selftest(options: argparse.Namespace) -> int:
    from agdesk.app import run_selftest

    return run_selftest(options.data_dir, options.png)


def _ask(options: argparse.Namespace) -> int:
    from agdesk.commands.ask import run

    return run(options)


def _replay(options: argparse.Namespace) -> int:
    from agdesk.commands.replay import run

    return run(options)


def _compact(options: argparse.Namespace) -> int:
    from agdesk.commands.compact import run

    return run(options)


def _doctor(options: argparse.Namespace) -> int:
    from agdesk.commands.doctor import run

    return run(options)


def _models(options: argparse.Namespace) -> int:
    from agdesk.commands.models import run

    return run(options)


def _serve_model(options: argparse.Namespace) -> int:
    from agdesk.core.providers.llama_child import serve

    return serve(options.gguf, n_ctx=options.n_ctx)


_COMMANDS = {
    "window": _window,
    "selftest": _selftest,
    "ask": _ask,
    "replay": _replay,
    "compact": _compact,
    "doctor": _doctor,
    "models": _models,
    "serve-model": _serve_model,
}
