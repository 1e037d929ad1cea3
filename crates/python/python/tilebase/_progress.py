"""Bars for what takes long."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ._types import ProgressLike


class Bar(Protocol):
    """What the Rust half tells how far it is, about twenty times a second."""

    def update(self, what: str, done: int, total: int) -> None:
        """So much of something is done."""

    def close(self) -> None:
        """It is over."""


def bar(progress: ProgressLike) -> Bar | None:
    """A bar for what somebody wants to see of progress: nothing, a bar, or what a function makes of it."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise ValueError(f"{progress!r} cannot show progress: expected True, or a function of (what, done, total)")
        return _Told(progress)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Plain()
    return _Tqdm(tqdm)


class _Told:
    """Progress as a function is told of it."""

    def __init__(self, tell: Any) -> None:
        self._tell = tell

    def update(self, what: str, done: int, total: int) -> None:
        self._tell(what, done, total)

    def close(self) -> None:
        pass


class _Tqdm:
    """Progress as a bar of tqdm, one for each piece of work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._shown: tuple[str, int] | None = None

    def update(self, what: str, done: int, total: int) -> None:
        if total == 0:
            return
        if self._shown != (what, total):
            self.close()
            self._bar = self._tqdm(desc=what, total=total, unit_scale=True)
            self._shown = (what, total)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
            self._shown = None


class _Plain:
    """Progress as one line, where there is no tqdm."""

    def __init__(self) -> None:
        self._width = 0

    def update(self, what: str, done: int, total: int) -> None:
        if total > 0 and sys.stderr is not None:
            line = f"{what}: {100 * done // total} %"
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\n")
