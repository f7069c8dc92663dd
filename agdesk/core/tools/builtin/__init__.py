"""agdesk's own tools, one file each; they know no other tool.

``tool`` is their base: a pydantic model of the input gives schema and validation. ``file_tool`` and ``confined`` keep
the file tools in the folder of the conversation, ``file_change`` (``differences``) is what those that write share.
``process``, ``process_family`` and ``command_output`` run a command and end it. Loads pydantic and httpx: import it on
a thread, when the first tool is near. To add one: docs/howto-add-tool.md.
"""

from collections.abc import Callable

from agdesk.core.tools.base import Tool
from agdesk.core.tools.builtin.current_time import CurrentTime
from agdesk.core.tools.builtin.edit_file import EditFile
from agdesk.core.tools.builtin.fetch_url import FetchUrl
from agdesk.core.tools.builtin.list_directory import ListDirectory
from agdesk.core.tools.builtin.read_file import ReadFile
from agdesk.core.tools.builtin.run_command import RunCommand
from agdesk.core.tools.builtin.search_text import SearchText
from agdesk.core.tools.builtin.write_file import WriteFile
from agdesk.core.trace.transport import ProxyChoice


def builtin_tools(*, proxies: Callable[[], ProxyChoice] = ProxyChoice) -> tuple[Tool, ...]:
    """All of them, in the order in which a model reads them.

    Args:
        proxies: gives the user's choice of a proxy; called for each fetch, on a thread.
    """
    return (
        ReadFile(),
        ListDirectory(),
        SearchText(),
        WriteFile(),
        EditFile(),
        RunCommand(),
        FetchUrl(proxies=proxies),
        CurrentTime(),
    )
