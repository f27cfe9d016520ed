"""Some seconds of hostile bytes; `make audit` goes on for as long as somebody likes."""

from pathlib import Path

from tests.fuzz.__main__ import fuzz
from tests.fuzz.targets import file_targets, frame_target, request_targets

SECONDS = 1
"""For each kind of target."""


def test_damaged_files_are_read_or_refused_in_one_sentence() -> None:
    assert fuzz([*file_targets()], seed=1, seconds=3 * SECONDS)


def test_damaged_frames_end_with_a_code() -> None:
    assert fuzz([frame_target()], seed=1, seconds=SECONDS)


def test_damaged_requests_are_answered_or_refused(tmp_path: Path) -> None:
    with request_targets(tmp_path) as targets:
        assert fuzz(targets, seed=1, seconds=3 * SECONDS)
