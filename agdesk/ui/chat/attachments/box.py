"""What goes with the next message: taken in, kept with the draft, and checked against the model (CHAT7)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Text
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.text import sentences, visible_text

if TYPE_CHECKING:
    from agdesk.core.attachments import MediaBlock
    from agdesk.ui.chat.attachments.pictures import Pictures
    from agdesk.ui.chat.attachments.tray import AttachmentTray
    from agdesk.ui.chat.column import ConversationColumn
    from agdesk.ui.widgets.attachment_view import AttachmentView
    from agdesk.ui.widgets.offered import Offered
    from agdesk.ui.widgets.transcript import VirtualTranscript

_SHOWN_PROBLEMS = 3


class AttachmentBox(QObject):
    """The attachments of one conversation's composer. Nothing is loaded before the first of them.

    Args:
        column: of the conversation; gives what is pasted and dropped, and shows what is attached.

    Signals:
        changed(): something was attached or removed.
        model_wanted(): another model is to be chosen.
        undo_offered(str, object): what was removed, and the call that puts it back.
    """

    changed = Signal()
    model_wanted = Signal()
    undo_offered = Signal(str, object)

    def __init__(self, workspace: Workspace, session: AgentSession, *, column: ConversationColumn) -> None:
        super().__init__(column)
        self._workspace = workspace
        self._session = session
        self._column = column
        self._composer = column.composer
        self._items: list[tuple[MediaBlock, AttachmentView]] = []
        self._draft: tuple[MediaBlock, ...] | None = None  # what is put aside while a message is edited
        self._shown: dict[str, MediaBlock] = {}
        self._waiting: list[Offered] = []
        self._reading: asyncio.Task[None] | None = None
        self._checking: asyncio.Task[None] | None = None
        self._untaken: tuple[int, ...] = ()
        self._unsubscribe = workspace.models_changed.subscribe(lambda _: self.refresh())
        column.composer.offered.connect(self.offer)
        column.files_dropped.connect(self.offer)
        column.attach_button.clicked.connect(self.choose_files)

    @property
    def blocks(self) -> tuple[MediaBlock, ...]:
        """What is attached."""
        return tuple(block for block, _ in self._items)

    @property
    def is_editing(self) -> bool:
        """Whether they are those of a message that is edited."""
        return self._draft is not None

    def is_ready(self) -> bool:
        """Whether everything is there that was attached; else says that it is not."""
        if self._reading is not None:
            self._column.notice.show_text(self.tr("An attachment is still being read. Send again when it is there."))
        return self._reading is None

    @cached_property
    def tray(self) -> AttachmentTray:
        """What is seen of them; made with the first."""
        from agdesk.ui.chat.attachments.tray import AttachmentTray
        from agdesk.ui.widgets.thumbnails import ThumbnailShelf

        shelf = ThumbnailShelf(self)
        shelf.wanted.connect(lambda key: self.pictures.answer(key, shelf))
        tray = AttachmentTray(shelf, self._column)
        tray.opened.connect(lambda place: self.show_preview(self._items[place][0]))
        tray.removed.connect(lambda place: self._remove((place,)))
        tray.untaken_removed.connect(lambda: self._remove(self._untaken))
        tray.model_wanted.connect(self.model_wanted)
        self._column.attachment_place.addWidget(tray)
        return tray

    @cached_property
    def pictures(self) -> Pictures:
        """Makes the thumbnails, those of the transcript too."""
        from agdesk.ui.chat.attachments.pictures import Pictures

        return Pictures(self._workspace, self._find, self)

    def attach_transcript(self, transcript: VirtualTranscript, shown: dict[str, MediaBlock]) -> None:
        """Serves the attachments of messages; ``shown`` has what is drawn, by its keys, and grows."""
        self._shown = shown
        transcript.thumbnails.wanted.connect(lambda key: self.pictures.answer(key, transcript.thumbnails))
        transcript.attachment_chosen.connect(self._open_shown)

    def content(self, text: str) -> tuple[ContentBlock, ...]:
        """What is to be sent with a text; nothing if that is blank and nothing is attached."""
        return (*self.blocks, Text(text)) if text.strip() else self.blocks

    def offer(self, offers: Sequence[Offered]) -> None:
        """Takes in files and images; what cannot be attached is told of when all are read."""
        self._waiting += offers
        if self._reading is None and self._waiting:
            self._reading = spawn(self._take_in(), name="attach files")

    def choose_files(self) -> None:
        """Asks for files."""
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QFileDialog

        from agdesk.ui.widgets.offered import OfferedFile

        dialog = QFileDialog(self._column, self.tr("Attach files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self.offer([OfferedFile(path) for path in paths]))
        dialog.finished.connect(lambda _result: self._composer.setFocus())
        dialog.open()

    def show_preview(self, block: MediaBlock) -> None:
        """Shows one enlarged."""
        from agdesk.ui.chat.attachments.preview import AttachmentPreview
        from agdesk.ui.widgets.pixels import prepare_reading

        prepare_reading()
        preview = AttachmentPreview(self._workspace, block, self._column)
        preview.show()
        preview.activateWindow()

    def restore(self, blocks: Sequence[ContentBlock]) -> None:
        """Puts back what was attached at the last start, unless something is attached already."""
        if not self._items and (found := _media(blocks)):
            self._set(found)

    def begin_edit(self, blocks: Sequence[ContentBlock]) -> None:
        """Puts the draft's aside, and shows those of a message that is edited."""
        if self._draft is None:
            self._draft = self.blocks
        self._set(_media(blocks))

    def end_edit(self) -> None:
        """Puts back what was put aside."""
        if self._draft is not None:
            draft, self._draft = self._draft, None
            self._set(draft)

    def clear(self) -> None:
        """They are sent: nothing is attached any more."""
        self._set(())

    def refresh(self) -> None:
        """Another model answers, or more is known of it: looks again at what it cannot take."""
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None
        if self._items:
            self._checking = spawn(self._check(), name="what the model takes")
        elif "tray" in self.__dict__:
            self._untaken = ()
            self.tray.show_problem("", {})

    def stop(self) -> None:
        """Ends everything: the conversation is closed."""
        self._unsubscribe()
        for task in (self._reading, self._checking):
            if task is not None:
                task.cancel()
        if "pictures" in self.__dict__:
            self.pictures.stop()

    # --- private ---

    async def _take_in(self) -> None:
        problems: list[str] = []
        try:
            while self._waiting:
                offer = self._waiting.pop(0)
                self._show_progress(len(self._waiting) + 1)
                try:
                    block = await self._read(offer)
                except AgdeskError as error:
                    problems.append(sentences(*words_of(error)))
                    continue
                self._set((*self.blocks, block))
        finally:
            self._reading = None
        self._show_progress(0)
        if problems:
            more = len(problems) - _SHOWN_PROBLEMS
            lines = problems[:_SHOWN_PROBLEMS]
            if more > 0:
                lines.append(self.tr("%n more cannot be attached.", "", more))
            self._column.notice.show_text("\n".join(lines))

    async def _read(self, offer: Offered) -> MediaBlock:
        from agdesk.ui.chat.attachments.pictures import png_of
        from agdesk.ui.widgets.offered import OfferedFile
        from agdesk.ui.widgets.pixels import prepare_reading

        if isinstance(offer, OfferedFile):
            return await self._workspace.attach(Path(offer.path))
        name = self.tr("Pasted image") + f".{offer.ending}"
        if isinstance(offer.content, bytes):
            return await self._workspace.attach(offer.content, name=name)
        prepare_reading()
        return await self._workspace.attach(await asyncio.to_thread(png_of, offer.content), name=name)

    def _set(self, blocks: Sequence[MediaBlock]) -> None:
        """Attaches just these; views of those that stay are the same."""
        from agdesk.ui.chat.attachments.words import view_of

        views = {id(block): view for block, view in self._items}
        self._items = [(block, views.get(id(block)) or view_of(block)) for block in blocks]
        self._composer.has_attachments = bool(self._items)
        if self._items or "tray" in self.__dict__:
            self.tray.show_views([view for _, view in self._items])
        if self._draft is None:
            self._workspace.set_draft_attachments(self._session.id, self.blocks)
        self.refresh()
        self.changed.emit()

    def _remove(self, places: Sequence[int]) -> None:
        removed = [(place, self._items[place][0]) for place in places]
        self._set([block for place, block in enumerate(self.blocks) if place not in places])
        if not self._items:
            self._composer.setFocus()
        names = ", ".join(visible_text(block.name or "") for _, block in removed)

        def put_back() -> None:
            blocks = list(self.blocks)
            for place, block in removed:
                blocks.insert(place, block)
            self._set(blocks)

        self.undo_offered.emit(self.tr("Removed %1").replace("%1", names), put_back)

    async def _check(self) -> None:
        from agdesk.core.providers.router import AUTO
        from agdesk.ui.chat.attachments.words import kinds_text

        model_ref, blocks = self._session.model_ref, self.blocks
        name = self.tr("Auto") if model_ref == AUTO else model_ref
        try:
            found = await self._workspace.untaken(model_ref, blocks)
        except AgdeskError as error:
            self._untaken = ()
            self.tray.show_problem(sentences(*words_of(error)), {})
            return
        self._untaken = tuple(item.index for item in found)
        if not found:
            self.tray.show_problem("", {})
            return
        kinds = kinds_text(blocks[item.index] for item in found)
        if any(item.is_of_model for item in found):
            text = self.tr("%1 cannot take %2: they would be sent for nothing or refused.")
        else:
            text = self.tr("The provider of %1 cannot take %2: they would be left out.")
        text = text.replace("%1", name).replace("%2", kinds)
        mark = self.tr("not taken by this model")
        self.tray.show_problem(text, dict.fromkeys(self._untaken, mark))

    def _show_progress(self, count: int) -> None:
        if count or "tray" in self.__dict__:
            self.tray.show_progress(self.tr("Reading %n file(s)…", "", count) if count else "")

    def _open_shown(self, key: str) -> None:
        if (block := self._shown.get(key)) is not None:
            self.show_preview(block)

    def _find(self, key: str) -> MediaBlock | None:
        found = next((block for block, view in self._items if view.key == key), None)
        return found or self._shown.get(key)


def _media(blocks: Sequence[ContentBlock]) -> tuple[MediaBlock, ...]:
    return tuple(block for block in blocks if isinstance(block, Image | Audio | File))
