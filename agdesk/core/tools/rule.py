"""One rule, ready to be applied."""

from __future__ import annotations

from agdesk.core.ir.approval import ApprovalRule, RuleVerdict
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.tools.base import server_part
from agdesk.core.tools.patterns import BrokenPattern, parse_call_pattern
from agdesk.core.tools.predicates import BrokenPredicate, Match, compile_predicate


class CompiledRule:
    """A rule, understood as far as it can be.

    Attributes:
        rule: as it is written.
        problem: why it cannot be understood; empty if it can. A rule with a problem denies.
    """

    def __init__(self, rule: ApprovalRule) -> None:
        self.rule = rule
        self.problem = ""
        self._pattern = None
        self._tests = []
        try:
            self._pattern = parse_call_pattern(rule.pattern)
            self._tests = [compile_predicate(predicate) for predicate in rule.where]
        except (BrokenPattern, BrokenPredicate) as error:
            self.problem = str(error)

    @property
    def verdict(self) -> RuleVerdict:
        """What it says about the calls it matches."""
        return RuleVerdict.DENY if self.problem else self.rule.verdict

    def matches(self, server: str, tool: str, input: JsonObject, *, folder: str) -> bool:
        """Whether it says anything about a call.

        A broken pattern is about every call, a broken predicate about every call that the pattern matches.
        """
        pattern = self._pattern
        if pattern is None:
            return True
        if pattern.server.fullmatch(server) is None or pattern.tool.fullmatch(tool) is None:
            return False
        if self.problem:
            return True
        needed = Match.YES if self.rule.verdict is RuleVerdict.ALLOW else Match.MAYBE
        return all(test(input, folder) >= needed for test in self._tests)

    def is_bound_to(self, identity: str) -> bool:
        """Whether it was made for a tool of this identity (TOOL7).

        A rule for several tools of one server is bound to the server alone; one for several servers to none.
        """
        if not identity or self._pattern is None:
            return False
        if self._pattern.is_one_tool:
            return self.rule.identity == identity
        return self._pattern.is_one_server and self.rule.identity == server_part(identity)
