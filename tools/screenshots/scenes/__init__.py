"""The scenes, one module a view. A new view: a module with ``SCENES``, and its line here."""

from tools.screenshots.scenes import (
    approval,
    attachments,
    conversation,
    conversations,
    crash,
    find,
    gauge,
    inspector,
    ledger,
    models,
    parameters,
    queue,
    settings,
    tools,
    window,
)

SCENES = (
    *approval.SCENES,
    *attachments.SCENES,
    *conversation.SCENES,
    *conversations.SCENES,
    *crash.SCENES,
    *find.SCENES,
    *gauge.SCENES,
    *inspector.SCENES,
    *ledger.SCENES,
    *models.SCENES,
    *parameters.SCENES,
    *queue.SCENES,
    *settings.SCENES,
    *tools.SCENES,
    *window.SCENES,
)
