"""The scenes, one module a view. A new view: a module with ``SCENES``, and its line here."""

from tools.screenshots.scenes import (
    conversation,
    conversations,
    crash,
    find,
    inspector,
    ledger,
    models,
    parameters,
    settings,
    window,
)

SCENES = (
    *conversation.SCENES,
    *conversations.SCENES,
    *crash.SCENES,
    *find.SCENES,
    *inspector.SCENES,
    *ledger.SCENES,
    *models.SCENES,
    *parameters.SCENES,
    *settings.SCENES,
    *window.SCENES,
)
