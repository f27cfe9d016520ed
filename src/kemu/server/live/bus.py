"""The notifications of the other processes on one store, routed to the parts that subscribe to them."""

from collections.abc import Callable, Iterable

from kemu.storage.database import Appended, Notifications, Received


class Bus:
    """Routes what other processes publish: entries to all registries, texts by their first word."""

    def __init__(self, notifications: Notifications) -> None:
        self._notifications = notifications
        self._receivers: dict[str, Received] = {}
        self._on_append: list[Appended] = []
        self._on_resume: list[Callable[[], None]] = []

    def open(self) -> None:
        """Begin to listen."""
        self._notifications.subscribe(self._appended, self._received, self._resumed)

    def subscribe(self, words: Iterable[str], received: Received) -> None:
        """Have a function called with process and text for each text that begins with one of these words."""
        self._receivers |= dict.fromkeys(words, received)

    def subscribe_appends(self, appended: Appended) -> None:
        """Have a function called with document and version for each entry that another process saved."""
        self._on_append.append(appended)

    def subscribe_resumes(self, resumed: Callable[[], None]) -> None:
        """Have a function called when listening begins, and begins again: notifications may have been missed."""
        self._on_resume.append(resumed)

    def _appended(self, document: str, version: int) -> None:
        for appended in self._on_append:
            appended(document, version)

    def _received(self, process: str, text: str) -> None:
        receiver = self._receivers.get(text.partition(" ")[0])
        if receiver is not None:  # else it is of a newer version
            receiver(process, text)

    def _resumed(self) -> None:
        for resumed in self._on_resume:
            resumed()
