"""Play in the terminal: through pipes as plain lines, and through a real pseudo-terminal."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kemu.core.record import Record
from tests.patience import PATIENCE_SECONDS
from tests.terminal.conftest import Run

if sys.platform != "win32":
    import pexpect

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


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
    assert "White (Level 3 bot) wins: resignation." in done.stdout
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
    assert "White (Level 3 bot): " in other.stdout


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


def test_the_time_that_is_left_stands_before_the_prompt(run: Run) -> None:
    done = run("play", "mu-torere", "--clock", "5+3", "-s", "human", "-s", "human", typed="1-0\n")
    assert "Black 5:00 > " in done.stdout
    assert run("play", "mu-torere", "--clock", "soon").stderr == (
        "kemu: A clock is minutes and seconds for each turn, such as 5+3, not 'soon'.\n"
    )


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
class TestPseudoTerminal:
    """The real program on a terminal of 80 by 24."""

    @pytest.fixture
    def terminal(self, home: Path) -> Iterator["pexpect.spawn[str]"]:
        child = spawn("mu-torere", "-s", "human", "-s", "human")
        child.expect("Black moves a man")
        yield child
        child.close(force=True)

    def test_the_screen_is_full_and_keys_play(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.send("\r")
        terminal.expect("White moves a man")
        terminal.send("q")
        terminal.expect("The game is kept. Go on with: kemu play --load")
        terminal.expect(pexpect.EOF)
        assert kept(home).actions == ("1-0",)

    def test_ctrl_c_leaves_cleanly_with_the_record_saved(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.send("\x03")
        terminal.expect("The game is kept")
        terminal.expect(pexpect.EOF)
        assert "Traceback" not in (terminal.before or "")
        terminal.close()
        assert terminal.exitstatus == 0
        assert kept(home).actions == ()

    def test_a_killed_game_has_lost_nothing(self, terminal: "pexpect.spawn[str]", home: Path) -> None:
        terminal.send("\r")
        terminal.expect("White moves a man")
        terminal.kill(signal.SIGKILL)
        terminal.expect(pexpect.EOF)
        assert kept(home).actions == ("1-0",)

    def test_without_a_game_there_is_the_start_screen(self, home: Path) -> None:
        child = spawn()
        child.expect("Start")
        child.send("q")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert not home.exists()

    def test_without_a_game_other_options_are_refused(self, home: Path) -> None:
        child = spawn("--seed", "1", "-s", "human")
        child.expect("kemu: Name a game too")
        child.close(force=True)


@on_a_terminal
@pytest.mark.parametrize("setting", [("--plain",), ("TERM=dumb",), ("KEMU_PLAIN=1",)], ids=" ".join)
def test_whoever_wants_plain_lines_gets_them_on_a_terminal(home: Path, setting: tuple[str, ...]) -> None:
    settings = dict(word.split("=") for word in setting if "=" in word)
    child = spawn("mauw", "-s", "human", "-s", "human", *(word for word in setting if "=" not in word), **settings)
    child.expect("Player 1: press Enter")
    assert "Your hand" not in (child.before or "")
    assert "\n" * 60 in (child.before or "").replace("\r", "")
    child.sendline("")
    child.expect("Your hand: ")
    child.sendline("quit")
    child.expect("The game is kept")
    child.close(force=True)


@on_a_terminal
def test_without_textual_a_match_is_played_in_plain_lines(home: Path) -> None:
    absent = "import sys; sys.modules['textual'] = None; from kemu.cli import main; main()"
    child = run_on_terminal("-c", absent, "play", "mu-torere", "-s", "human", "-s", "human")
    child.expect_exact("You play in plain lines; pip install 'kemu[terminal]' adds the full screen.")
    child.expect("Black >")
    child.sendline("1-0")
    child.expect("White >")
    child.sendline("quit")
    child.expect("The game is kept")
    child.close(force=True)


def spawn(*words: str, **settings: str) -> "pexpect.spawn[str]":
    """`kemu play` on a terminal, with these settings in its environment."""
    return run_on_terminal("-m", "kemu", "play", *words, **settings)


def run_on_terminal(*words: str, **settings: str) -> "pexpect.spawn[str]":
    """Python on a terminal, with these settings in its environment."""
    # COLUMNS, which readline sets in some processes that have loaded it, would hide the terminal's own width.
    kept_settings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return pexpect.spawn(
        sys.executable,
        list(words),
        encoding="utf-8",
        dimensions=(24, 80),
        timeout=PATIENCE_SECONDS,
        use_poll=True,  # select knows only the first 1,024 descriptors
        env={**kept_settings, "TERM": "xterm-256color", **settings},
    )


@on_a_terminal
def test_solving_shows_progress_to_whoever_watches(home: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "kemu", "solve", "mu-torere", "-o", "arms=12"],
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        use_poll=True,
    )
    child.expect("finding all states")
    child.expect("perfect play")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
