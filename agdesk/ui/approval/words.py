"""How calls, classes and conditions are called in the window."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from agdesk.core.ir.approval import ApprovalRequest, PredicateOp, Scope
from agdesk.core.ir.effect import CommandRun, FileChange, PathRead, Unforeseen, UrlFetch
from agdesk.core.ir.request import ResultSemantic
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_text import json_text

translate = QCoreApplication.translate

_LINE_CHARACTERS = 300


def semantic_name(semantic: ResultSemantic) -> str:
    """The class of a call."""
    match semantic:
        case ResultSemantic.FACTUAL:
            return translate("ApprovalWords", "Factual")
        case ResultSemantic.ACTION:
            return translate("ApprovalWords", "Action")
        case ResultSemantic.MIXED:
            return translate("ApprovalWords", "Mixed")
        case _:
            assert_never(semantic)


def scope_name(scope: Scope) -> str:
    """How far an answer reaches."""
    match scope:
        case Scope.ONCE:
            return translate("ApprovalWords", "Once")
        case Scope.TURN:
            return translate("ApprovalWords", "Until this answer is finished")
        case Scope.CONVERSATION:
            return translate("ApprovalWords", "In this conversation")
        case Scope.ALWAYS:
            return translate("ApprovalWords", "Always")
        case _:
            assert_never(scope)


def op_name(op: PredicateOp) -> str:
    """How a condition compares."""
    match op:
        case PredicateOp.EQUALS:
            return translate("ApprovalWords", "is")
        case PredicateOp.STARTS_WITH:
            return translate("ApprovalWords", "starts with")
        case PredicateOp.GLOB:
            return translate("ApprovalWords", "fits the pattern")
        case PredicateOp.UNDER_FOLDER:
            return translate("ApprovalWords", "lies in the folder")
        case PredicateOp.HOST_IS:
            return translate("ApprovalWords", "is on the host")
        case _:
            assert_never(op)


def question(request: ApprovalRequest) -> str:
    """What is asked about a call, without its arguments."""
    name = translate("ApprovalWords", "Run “{tool}”?").replace("{tool}", revealed(request.tool))
    return f"{name} {semantic_name(request.semantic)}"


def call_line(request: ApprovalRequest) -> str:
    """What a call is about in one line, which may be cut; the card shows all."""
    match request.effect:
        case PathRead(path=path) | FileChange(path=path):
            text = path
        case CommandRun(argv=argv):
            text = " ".join(argument if argument.isalnum() else json_text(argument) for argument in argv)
        case UrlFetch(url=url):
            text = url
        case Unforeseen() | None:
            text = json_text(request.input, is_pretty=False)
        case _:
            assert_never(request.effect)
    return revealed(text[:_LINE_CHARACTERS])
