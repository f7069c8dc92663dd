"""What a child process may know of this one's environment."""

from __future__ import annotations

import re
from collections.abc import Mapping

# What a child needs to run, and nothing that may hold a secret (SEC1).
_PASSED_ON = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|LC_\w+|TMPDIR|TEMP|TMP|LD_LIBRARY_PATH|DYLD_\w+|PYTHON(PATH|HOME|UTF8)|VIRTUAL_ENV"
    r"|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|NUMBER_OF_PROCESSORS"
    r"|(OMP|GGML|CUDA|HIP|ROCR|VK)_\w+",
    re.IGNORECASE,
)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables a child process gets: what it needs to run, none that may hold a secret (SEC1)."""
    return {
        name: value for name, value in environment.items() if _PASSED_ON.fullmatch(name) and not _SECRET.search(name)
    }
