"""Play in the terminal: through pipes as plain lines, and through a real pseudo-terminal."""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kemu.core.record import Record
from tests.terminal.conftest import Run

if sys.platform != "win32":
    import pexpect

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


def heed_interrupts() -> None:
    """Whoever starts the tests in the background has them ignore Ctrl-C; a terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def kept(home: Path) -> Record:
    (file,) = (home / "records").iterdir()
    return Record.from_text(file.read_bytes())


def test_plain_play_shows_asks_and_answers(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", "--plain", "-s", "human", "-s", "human", typed="1-0\n8-1\n")
    assert done.returncode == 0
    assert "Black stands on 1, 2, 3, 4." in done.stdout
    assert "White > Black: 1-0" not in done.stdout
    assert "Black: 1-0\nBlack stands on 2, 3, 4, the pūtahi." in done.stdout
    assert "\x1b" not in done.stdout
    assert kept(home).actions == ("1-0", "8-1")


def test_the_end_of_input_keeps_the_game_and_tells_how_to_go_on(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", "-s", "human", "-s", "human", typed="1-0\n")
    (file,) = (home / "records").iterdir()
    assert done.stdout.endswith(f"The game is kept. Go on with: kemu play --load {file}\n")
    more = run("play", "--load", str(file), "-s", "human", "-s", "human", typed="8-1\n")
    assert more.returncode == 0
    assert kept(home).actions == ("1-0", "8-1")


def test_actions_are_listed_with_words(run: Run) -> None:
    assert "  1-0      from 1 to the pūtahi\n" in run("play", "mu-torere", typed="actions\n").stdout


def test_a_bad_action_is_answered_and_asked_again(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", "-s", "human", "-s", "human", typed="hello\n2-0\n1-0\n")
    assert 'not "hello". Type ? for help.' in done.stdout
    assert "A man enters the pūtahi only from beside an enemy; 2 has none." in done.stdout
    assert kept(home).actions == ("1-0",)


def test_help_rules_board_and_save(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", typed="?\nrules\nboard\nsave\n\n")
    assert "take back your last action" in done.stdout
    assert "Who cannot move has lost." in done.stdout
    assert done.stdout.count("Black stands on 1, 2, 3, 4.") == 2
    assert "Saved as " in done.stdout


def test_undo_against_a_bot_goes_back_to_ones_own_turn(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", "-s", "human", "-s", "perfect", typed="undo\n1-0\nundo\n")
    assert "There is nothing to take back." in done.stdout
    assert "Taken back." in done.stdout
    assert kept(home).actions == ()


def test_resigning_asks_first(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", typed="resign\nn\nresign\ny\n")
    assert "White (Swimmer bot) wins: resignation." in done.stdout
    assert kept(home).encode()["result"] == {"winners": [1], "reason": "resignation"}


def test_two_people_can_agree_on_a_draw_but_no_bot_does(run: Run) -> None:
    assert "Bots agree to no draw" in run("play", "mu-torere", typed="draw\n").stdout
    people = ("play", "mu-torere", "-s", "human", "-s", "human")
    assert "A draw by agreement." not in run(*people, typed="draw\nn\n").stdout
    assert "A draw by agreement." in run(*people, typed="draw\nyes\n").stdout


def test_bots_play_each_other_to_the_end(run: Run, home: Path) -> None:
    done = run("play", "mu-torere", "-s", "random", "-s", "perfect", "--seed", "4")
    assert done.returncode == 0
    assert "The record is " in done.stdout
    again = run("play", "mu-torere", "-s", "random", "-s", "perfect", "--seed", "4")
    assert done.stdout.split("The record is")[0] == again.stdout.split("The record is")[0]


def test_options_are_taken(run: Run, home: Path) -> None:
    run("play", "mu-torere", "-o", "arms=6", "-o", "flank=opening", "-o", "repetition=false")
    assert kept(home).options == {"arms": 6, "flank": "opening", "repetition": False}


def test_a_newcomer_is_asked_for_the_game(run: Run) -> None:
    text = run("play", typed="0\nnonsense\nmu-torere\n").stdout
    assert "Which game? Type its number:" in text
    assert text.count("Type a number from 1 to ") == 2
    assert "Mū tōrere. Type ? for help." in text


def test_leaving_at_the_first_question_is_clean(run: Run, home: Path) -> None:
    done = run("play")
    assert done.returncode == 0
    assert done.stderr == ""
    assert not home.exists()


def test_a_game_can_be_kept_in_a_file_of_ones_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "mine.json"
    run("play", "mu-torere", "-s", "human", "-s", "human", "--save", str(file), typed="4-0\n")
    assert json.loads(file.read_text())["actions"] == ["4-0"]
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_exists_is_not_written_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    done = run("play", "mu-torere", "--save", str(file), typed="4-0\n")
    assert done.returncode == 2
    assert done.stderr == f"kemu: {file} exists already; go on with it by --load, or name another file.\n"
    assert file.read_text() == "precious"


def test_where_nothing_can_be_written_nobody_is_asked_for_an_action(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "mine.json"
    done = run("play", "mu-torere", "--save", str(path), typed="4-0\n")
    assert done.returncode == 2
    assert done.stderr.startswith(f"kemu: {path} cannot be written: ")
    assert done.stderr.count("\n") == 1
    assert "Black >" not in done.stdout


def test_a_kept_game_goes_on_with_the_same_players(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    record = Record("mu-torere", {}, ("1-0",), ("Ann", "random"))
    file.write_text(record.to_text())
    done = run("play", "--load", str(file), "--seed", "1", typed="\n")
    assert "White (random bot): " in done.stdout
    assert Record.from_text(file.read_bytes()).players == ("Ann", "random")
    other = run("play", "--load", str(file), "-s", "human", "-s", "3", "--seed", "1", typed="0-8\n")
    assert "White (Swimmer bot): " in other.stdout


def test_a_series_is_played_to_its_end_with_the_scale(run: Run, home: Path) -> None:
    done = run("play", "moeraki-kemu", "-s", "random", "-s", "random", "--series", "Uira", "--seed", "1")
    games = sorted((home / "records").iterdir())
    assert 3 <= len(games) <= 5
    assert done.stdout.count("     Uira  3 ╞") == len(games) + 1
    assert "The series goes to " in done.stdout
    started = [Record.from_text(file.read_bytes()) for file in games]
    balls = [record.actions[0] for record in started]
    assert all(record.options["moved_from"] == ball[1:] for ball, record in zip(balls, started[1:], strict=False))


def test_people_are_asked_before_the_next_game(run: Run) -> None:
    typed = "scale\nresign\ny\n\nresign\ny\n"
    done = run("play", "mu-torere", "--series", "2", "-s", "human", "-s", "human", typed=typed)
    assert "           2 ╞\n           1 ├\n           0 ╞●○" in done.stdout
    assert "Press Enter for the next game." in done.stdout
    # White wins the first game, and the colours swap: whoever was White resigns as Black.
    assert done.stdout.count("White wins: resignation.") == 2
    assert "The series goes to" not in done.stdout


def test_a_series_can_be_left_between_games(run: Run) -> None:
    done = run("play", "mu-torere", "--series", "2", typed="resign\ny\n")
    assert done.returncode == 0
    assert done.stdout.endswith("Press Enter for the next game. \n")


def test_a_single_game_has_no_scale(run: Run) -> None:
    assert "This game is not part of a series." in run("play", "mu-torere", typed="scale\n").stdout


def test_a_hand_is_hidden_until_its_owner_says_ready(run: Run) -> None:
    people = ("-o", "players=3", "-s", "human", "-s", "human", "-s", "random", "--seed", "1")
    first = run("play", "mauw", *people, typed="").stdout
    assert first.endswith("Player 1: press Enter when only you see the screen. \n" + kept_line(first))
    assert "Your hand" not in first
    shown = run("play", "mauw", *people, typed="\nactions\n").stdout
    assert shown.count("Your hand") == 1
    assert "Dealer: ~3 ~? ~? ~s ~? ~? ~4 ~? ~? ~s ~? ~?" in shown
    both = run("play", "mauw", *people, typed="\n3>1A\n\n").stdout
    assert "Player 2: press Enter when only you see the screen." in both
    assert both.count("Your hand") == 2
    told = both.split("Player 2: press Enter")[1]
    assert "Player 1: 3>1A\nDealer: ~?" in told


def kept_line(text: str) -> str:
    return text[text.index("The game is kept.") :]


def test_what_the_dealer_showed_cannot_be_taken_back(run: Run) -> None:
    done = run("play", "mauw", "--seed", "1", "-s", "human", "-s", "random", typed="undo\n")
    assert "A card has been dealt since; that cannot be taken back." in done.stdout


@on_a_terminal
def test_on_a_terminal_the_last_hand_is_wiped_away(home: Path) -> None:
    words = ["-m", "kemu", "play", "mauw", "-s", "human", "-s", "human", "--seed", "1"]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", dimensions=(24, 80), timeout=30)
    child.expect("Player 1: press Enter")
    assert "Hand" not in (child.before or "")
    child.sendline("")
    child.expect("Hand ")
    child.expect("Player 1 >")
    child.sendline("actions")
    child.expect(r"(\S+>1A)")
    action = child.match.group(1) if isinstance(child.match, re.Match) else ""
    child.sendline(action)
    child.expect("Player 2: press Enter")
    assert "\x1b[2J" in (child.before or "")
    assert "\x1b[3J" in (child.before or "")
    child.close(force=True)


@on_a_terminal
class TestPseudoTerminal:
    """The real program on a terminal of 80 by 24."""

    @pytest.fixture
    def terminal(self, home: Path) -> Iterator["pexpect.spawn[str]"]:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "kemu", "play", "mu-torere", "-s", "human", "-s", "human"],
            encoding="utf-8",
            dimensions=(24, 80),
            timeout=30,
            preexec_fn=heed_interrupts,
        )
        child.expect("Black >")
        yield child
        child.close(force=True)

    def test_the_board_is_a_picture_in_colour(self, terminal: "pexpect.spawn[str]") -> None:
        text = terminal.before or ""
        assert "●" in text
        assert "\x1b[" in text
        assert max(len(line) for line in text.splitlines()) < 200

    def test_typing_plays(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.sendline("1-0")
        terminal.expect("White >")
        terminal.sendline("quit")
        terminal.expect("The game is kept")
        terminal.expect(pexpect.EOF)
        assert kept(home).actions == ("1-0",)

    def test_ctrl_c_leaves_cleanly_with_the_record_saved(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.sendline("4-0")
        terminal.expect("White >")
        terminal.sendintr()
        terminal.expect("The game is kept")
        terminal.expect(pexpect.EOF)
        assert "Traceback" not in (terminal.before or "")
        assert kept(home).actions == ("4-0",)
        terminal.close()
        assert terminal.exitstatus == 0

    def test_ctrl_d_leaves_cleanly_too(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.sendeof()
        terminal.expect("The game is kept")
        terminal.expect(pexpect.EOF)
        assert kept(home).actions == ()

    def test_a_killed_game_has_lost_nothing(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.sendline("1-0")
        terminal.expect("White >")
        terminal.kill(signal.SIGKILL)
        terminal.expect(pexpect.EOF)
        assert kept(home).actions == ("1-0",)


@on_a_terminal
@pytest.mark.parametrize(("columns", "shown"), [(80, "places the ball"), (60, "The ball is not placed yet.")])
def test_a_terminal_too_narrow_for_the_picture_gets_sentences(home: Path, columns: int, shown: str) -> None:
    words = ["-m", "kemu", "play", "moeraki-kemu"]
    # COLUMNS, which readline sets in some processes that have loaded it, would hide the terminal's own width.
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child = pexpect.spawn(
        sys.executable, words, encoding="utf-8", dimensions=(24, columns), timeout=30, env=environment
    )
    child.expect("Matau >")
    text = child.before or ""
    assert shown in text
    assert ("◌" in text) == (columns == 80)
    child.close(force=True)


@on_a_terminal
def test_solving_shows_progress_to_whoever_watches(home: Path) -> None:
    child = pexpect.spawn(
        sys.executable, ["-m", "kemu", "solve", "mu-torere", "--arms", "12"], encoding="utf-8", timeout=60
    )
    child.expect("finding all states")
    child.expect("perfect play")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
