"""The compiled layer: what it needs of numba, its words and bits, and the folder of the compiled code."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from kemu.engines import compiled, words
from kemu.engines.code_cache import PREFIX, STALE_SECONDS, cache_folder, cache_roots, source_hash


@pytest.mark.parametrize("name", compiled.INTERNALS)
def test_the_installed_numba_has_each_internal(name: str) -> None:
    assert compiled.internal(name) is not None, f"numba {numba.__version__} has no {name}: {compiled.INTERNALS[name]}"


@pytest.mark.parametrize("name", ["numba.core.typeinfer.nothing", "numba.no_module.nothing", "llvmlite.ir.Nothing"])
def test_an_internal_that_numba_lacks_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiled.INTERNALS, name, "to test what it says")
    sentence = f"numba {numba.__version__} has no {name}, which Kemu needs to test what it says; install"
    with pytest.raises(ImportError, match=sentence):
        compiled.internal(name)


def test_numba_is_used_only_through_the_compiled_layer() -> None:
    for path in Path(compiled.__file__).parent.rglob("*.py"):
        found = re.findall(r"^ *(?:import|from) (?:numba|llvmlite)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not found or path.name == "compiled.py", path.name


def test_bits_of_words() -> None:
    word = np.uint64(0b1011000)
    assert words.bit(5) == 1 << 5
    assert [number for number in range(8) if words.has_bit(word, number)] == [3, 4, 6]
    assert words.lowest_bit(word) == 1 << 3
    assert words.drop_lowest(word) == 0b1010000
    assert [words.has_several(np.uint64(bits)) for bits in (0, 4, 6)] == [False, False, True]
    assert words.lowest_bit(np.uint64(0)) == words.drop_lowest(np.uint64(0)) == 0


def package(folder: Path, text: str) -> Path:
    """A package with one engine."""
    for name in ("engines", "games"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "engines" / "search.py").write_text(text, encoding="utf-8")
    return folder


def test_other_sources_have_another_hash(tmp_path: Path) -> None:
    one, same, other = (package(tmp_path / name, text) for name, text in (("a", "1"), ("b", "1"), ("c", "2")))
    assert source_hash(one) == source_hash(same) != source_hash(other)
    (same / "games" / "board.py").write_text("", encoding="utf-8")
    assert source_hash(one) != source_hash(same)


def test_the_folder_is_beside_the_engines_unless_another_is_configured(tmp_path: Path) -> None:
    beside, of_the_user = cache_roots("", tmp_path)
    assert beside == tmp_path / "engines" / "__pycache__"
    assert tmp_path not in of_the_user.parents
    (configured,) = cache_roots(str(tmp_path / "chosen"), tmp_path)
    assert configured.parent == tmp_path / "chosen"
    assert configured.name == of_the_user.name != cache_roots("", tmp_path / "other")[1].name


def test_a_root_that_cannot_be_written_to_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert cache_folder("1", [file, tmp_path / "user"]) == tmp_path / "user" / f"{PREFIX}1"
    assert cache_folder("1", [file]) is None


def test_a_new_folder_removes_stale_folders_of_other_sources_only(tmp_path: Path) -> None:
    stale, fresh, foreign = (tmp_path / name for name in (f"{PREFIX}stale", f"{PREFIX}fresh", "numba"))
    for folder in (stale, fresh, foreign):
        (folder / "module").mkdir(parents=True)
        (folder / "module" / "code").touch()
    before = time.time() - STALE_SECONDS - 60
    for path in (stale / "module", stale, fresh, foreign / "module", foreign):
        os.utime(path, (before, before))
    made = cache_folder("now", [tmp_path])
    assert made is not None
    assert sorted(tmp_path.iterdir()) == sorted((made, fresh, foreign))
    (stale / "module").mkdir(parents=True)
    for path in (stale / "module", stale):
        os.utime(path, (before, before))
    assert cache_folder("now", [tmp_path]) == made
    assert stale.exists(), "only a new folder looks for stale ones"


CODE = """
import numba
from kemu.engines.moeraki.board.packed import pack_move
print(pack_move(5, 3), numba.config.CACHE_DIR)
print(pack_move.stats.cache_path)
"""


def test_compiled_code_is_kept_in_the_folder_of_its_sources(tmp_path: Path) -> None:
    """Several processes at once fill one folder; numba's own setting is as it was."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", CODE]
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate()[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    (folder,) = tmp_path.glob(f"*/{PREFIX}*")
    assert folder.name == PREFIX + source_hash()
    for first, second in answers:
        assert first == f"{5 + 3 * 128} {tmp_path}"
        assert Path(second).parent == folder
    assert list(folder.rglob("*.nbc"))


def test_importing_kemu_and_its_help_do_not_import_numba() -> None:
    code = "import sys, kemu, kemu.engines.code_cache, kemu.cli; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
