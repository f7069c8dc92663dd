"""Where the user decides about the calls of a model (TOOL3 to TOOL6).

``desk`` is docked above the composer: ``call_list`` and ``batch_bar`` are about all calls that wait, ``card`` is about
one, and ``card_window`` shows that in a window of its own. In the card, ``effect_view`` says what a call would do,
``changes`` what the user has made of its arguments; ``answers`` holds the buttons and ``answer_panes`` what they ask
for; ``rule_asking`` and ``rule_editor`` are about the rule of an answer that reaches beyond this once. ``advice`` is
what the desk asks of whoever knows tools and rules; ``words`` and ``semantic_badge`` are how things are called and
marked, ``keys`` those of a card. May import the core's values, ``ui.widgets`` and ``ui.theme``;
it knows nothing of sessions. A new effect is a branch in ``effect_view``.
"""

from agdesk.ui.approval.advice import Advice, RuleWords
from agdesk.ui.approval.desk import ApprovalDesk

__all__ = ["Advice", "ApprovalDesk", "RuleWords"]
