"""Studies and the index of the explorer in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from kemu.storage.rows import MatchRow, StudyRow, TallyRow


class MemoryStudies:
    """The Studies and the Explorer of a store in memory, beside its matches and entries."""

    def __init__(self, matches: dict[str, MatchRow], entries: dict[str, list[bytes]]) -> None:
        self._matches = matches
        self._entries = entries
        self._studies: dict[str, StudyRow] = {}
        self._explored: set[str] = set()
        self._tallies: dict[tuple[str, str, str], TallyRow] = {}

    async def add_study(self, study: StudyRow) -> None:
        self._studies[study.id] = study

    async def study(self, study: str) -> StudyRow | None:
        return self._studies.get(study)

    async def studies(self, owner: str) -> list[StudyRow]:
        found = [replace(study, document="") for study in self._studies.values() if study.owner == owner]
        return sorted(found, key=lambda study: (-study.changed, study.id))

    async def page(self, after: str = "", limit: int = 100) -> list[StudyRow]:
        return [self._studies[study] for study in sorted(self._studies) if study > after][:limit]

    async def save_document(self, study: StudyRow, keep: int) -> None:
        # All edits stay: the number of the entries of a match or study is its version here.
        known = self._studies.get(study.id)
        if known is not None and known.version < study.version:
            keys = {"read_key": known.read_key, "write_key": known.write_key}
            self._studies[study.id] = replace(study, owner=known.owner, created=known.created, **keys)

    async def set_keys(self, study: str, read_key: str | None, write_key: str | None) -> None:
        if study in self._studies:
            self._studies[study] = replace(self._studies[study], read_key=read_key, write_key=write_key)

    async def delete_study(self, study: str) -> None:
        self._studies.pop(study, None)
        self._entries.pop(study, None)

    async def unexplored(self, limit: int) -> list[str]:
        finished = sorted(match for match, row in self._matches.items() if row.status == "finished")
        return [match for match in finished if match not in self._explored][:limit]

    async def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> bool:
        if match in self._explored:
            return False
        self._explored.add(match)
        for tally in tallies:
            place = (tally.position, tally.scope, tally.action)
            known = self._tallies.get(place)
            if known is not None:
                tally = replace(
                    tally, won=known.won + tally.won, drawn=known.drawn + tally.drawn, lost=known.lost + tally.lost
                )
            self._tallies[place] = tally
        return True

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        return [row for place, row in sorted(self._tallies.items()) if place[:2] == (position, scope)]
