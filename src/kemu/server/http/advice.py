"""Why an action is suggested."""

from kemu.server.http.responses import Threats


def reason(found: Threats, action: str, choices: int) -> str:
    """Why an action is suggested: `only`, `wins`, `stops` or, on the word of a bot, `best`."""
    if choices == 1:
        return "only"
    if action in found.wins:
        return "wins"
    return "stops" if action in found.stops else "best"
