"""Answers on disk: kept, shared, and never in the way."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.cache import AnswerCache, answer_key, cache_path
from esascore.errors import CacheWarning, UsageError


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "answers.sqlite"


def filled(path: Path, **answers: str) -> AnswerCache:
    cache = AnswerCache(path)
    cache.put("rel", answers or {"a": "1", "b": "2"})
    return cache


def test_what_is_put_is_got(path):
    cache = AnswerCache(path)
    assert cache.get("rel", ["a"]) == {}
    cache.put("rel", {"a": "1", "b": "2"})
    cache.put("stanza", {"a": "3"})
    cache.put("rel", {"b": "new"})
    assert cache.get("rel", ["a", "b", "c"]) == {"a": "1", "b": "new"}
    assert cache.get("stanza", ["a", "b"]) == {"a": "3"}
    assert cache.get("rel", []) == {}
    assert AnswerCache(path).get("rel", ["b"]) == {"b": "new"}


def test_many_answers(path):
    many = {f"{n:04}": str(n) for n in range(2345)}
    cache = AnswerCache(path)
    cache.put("rel", many)
    assert cache.get("rel", [*many, "else"]) == many
    assert cache.info().entries == {"rel": 2345}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_string_is_an_answer(path, value):
    cache = AnswerCache(path)
    key = answer_key("rel", "v1", value)
    cache.put("rel", {key: value})
    assert cache.get("rel", [key]) == {key: value}


@given(st.text(max_size=6), st.data())
def test_keys_are_different_for_different_questions(whole, data):
    def question():
        cut = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
        return whole[: cut[0]], whole[cut[0] : cut[1]], whole[cut[1] :]

    one, other = question(), question()
    assert (answer_key(*one) == answer_key(*other)) is (one == other)


def test_a_cache_opens_nothing_before_it_is_needed(path):
    cache = AnswerCache(path)
    cache.get("rel", ["a"])
    cache.put("rel", {})
    assert cache.clear() == 0
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_what_is_made_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "new" / "folder" / "c.sqlite"
    filled(path)
    with AnswerCache(path)._transaction("BEGIN IMMEDIATE"):  # while it is open it has companions
        made = sorted((tmp_path / "new").rglob("*"))
        modes = {one.name: oct(one.stat().st_mode & 0o777) for one in (tmp_path / "new", *made)}
    assert modes.pop("new") == modes.pop("folder") == "0o700"
    assert set(modes) >= {"c.sqlite", "c.sqlite-wal"}
    assert set(modes.values()) == {"0o600"}


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_a_cache_that_a_group_shares_stays_shared(tmp_path):
    path = tmp_path / "c.sqlite"
    path.touch()
    path.chmod(0o660)
    filled(path)
    AnswerCache(path).clear("rel")
    assert path.stat().st_mode & 0o777 == 0o660


def test_where_answers_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "mine"))
    assert cache_path() == tmp_path / "mine" == AnswerCache().path
    monkeypatch.setenv("ESASCORE_CACHE", "~/mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_path() == Path("~/mine").expanduser()
    monkeypatch.setenv("ESASCORE_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_path() == tmp_path / "xdg" / "esascore" / "answers.sqlite"


@pytest.mark.parametrize(
    ("platform", "folder"), [("darwin", "Library/Caches"), ("linux", ".cache"), ("win32", "local")]
)
def test_the_folder_of_each_platform(monkeypatch, tmp_path, platform, folder):
    monkeypatch.delenv("ESASCORE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which does not count
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_path() == tmp_path / folder / "esascore" / "answers.sqlite"


def test_without_a_home_folder(monkeypatch):
    for name in ("ESASCORE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    with pytest.raises(UsageError, match="ESASCORE_CACHE"):
        cache_path()


def test_info(path):
    empty = AnswerCache(path).info()
    assert (empty.path, empty.bytes, dict(empty.entries), empty.problem) == (path, 0, {}, None)
    cache = filled(path)
    cache.put("a", {"x": "y" * 100_000})
    info = cache.info()
    assert (dict(info.entries), info.problem) == ({"a": 1, "rel": 2}, None)
    assert info.bytes > 100_000


def test_clear(path):
    cache = filled(path)
    cache.put("stanza", {"x": "y" * 500_000})
    large = cache.info().bytes
    assert cache.clear("nothing") == 0
    assert cache.clear("stanza") == 1
    assert cache.info().entries == {"rel": 2}
    assert cache.info().bytes < large / 4
    assert cache.clear() == 2
    assert cache.info().entries == {}
    cache.put("rel", {"a": "again"})
    assert cache.get("rel", ["a"]) == {"a": "again"}


def test_clear_while_another_process_reads(path):
    one, other = filled(path), AnswerCache(path)
    assert other.get("rel", ["a"]) == {"a": "1"}
    assert one.clear() == 2
    assert other.get("rel", ["a"]) == {}
    other.put("rel", {"a": "3"})
    assert one.get("rel", ["a"]) == {"a": "3"}


# What follows must never lose or change an answer: at most one warning, and work goes on.


def warned(work) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    assert all(issubclass(one.category, CacheWarning) for one in caught)
    assert all("esascore doctor cache --clear" in str(one.message) for one in caught)
    return [str(one.message) for one in caught]


def use(cache):
    """Use a cache as a linker would: the answers come from elsewhere."""
    for _ in range(3):
        assert cache.get("rel", ["a"]) == {}
        cache.put("rel", {"a": "1"})


def damage_header(path):
    path.write_bytes(b"not a database" + bytes(4000))


def damage_pages(path):
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


def cut_short(path):
    path.write_bytes(path.read_bytes()[: 4096 + 100])


@pytest.mark.parametrize("damage", [damage_header, damage_pages, cut_short])
def test_a_damaged_file_is_as_good_as_none(path, damage):
    filled(path, **{f"{n}": "x" * 100 for n in range(500)})
    damage(path)
    cache = AnswerCache(path)
    told = warned(lambda: use(cache))
    assert len(told) == 1
    assert f"the cache {path} cannot be read: " in told[0]
    assert AnswerCache(path).info().problem
    assert AnswerCache(path).info().entries == {}
    assert cache.clear() == 0
    assert not list(path.parent.iterdir())
    assert warned(lambda: cache.put("rel", {"a": "1"})) == []  # it works again
    assert cache.get("rel", ["a"]) == AnswerCache(path).get("rel", ["a"]) == {"a": "1"}


def test_what_is_not_what_was_stored_counts_as_absent(path):
    filled(path, a="1", b="2", c="3", d="4")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE answers SET value = x'39' WHERE key = 'a'")
        database.execute("UPDATE answers SET checksum = x'00' WHERE key = 'b'")
        database.execute("UPDATE answers SET value = '3' WHERE key = 'c'")
    database.close()
    cache = AnswerCache(path)
    assert cache.get("rel", ["a", "b", "c", "d"]) == {"d": "4"}


def test_an_answer_of_another_question_counts_as_absent(path):
    filled(path, a="1")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE answers SET key = 'z'")
    database.close()
    cache = AnswerCache(path)
    assert cache.get("rel", ["z"]) == {}


def test_a_folder_in_place_of_the_file(path):
    path.mkdir()
    cache = AnswerCache(path)
    assert len(warned(lambda: use(cache))) == 1
    assert cache.info().problem
    with pytest.raises(UsageError, match="cannot be cleared"):
        cache.clear()
    assert path.is_dir()


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    cache = AnswerCache(tmp_path / "file" / "c.sqlite")
    (told,) = warned(lambda: use(cache))
    assert "cannot be written" in told
    (tmp_path / "file").unlink()
    (tmp_path / "file").mkdir()
    damage_header(cache.path)
    assert warned(lambda: use(cache)) == []  # one warning is enough


def test_the_database_of_another_program_is_left_alone(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE thesis (chapter TEXT)")
    database.close()
    before = path.read_bytes()
    cache = AnswerCache(path)
    (told,) = warned(lambda: use(cache))
    assert "the database of another program" in told
    with pytest.raises(UsageError, match="nothing was removed"):
        cache.clear()
    assert path.read_bytes() == before


def test_a_document_is_left_alone(tmp_path):
    path = tmp_path / "thesis.tex"
    path.write_text("\\chapter{One}" * 100)
    before = path.read_bytes()
    cache = AnswerCache(path)
    assert len(warned(lambda: use(cache))) == 1
    with pytest.raises(UsageError, match="not an esascore cache"):
        cache.clear()
    assert path.read_bytes() == before


def test_a_cache_of_another_version(path):
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    cache = AnswerCache(path)
    (told,) = warned(lambda: use(cache))
    assert "another version of esascore" in told
    assert cache.clear() == 0
    assert not path.exists()


def test_a_lock_that_is_not_released(path):
    filled(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    cache = AnswerCache(path, timeout=0.1)
    told = warned(lambda: [cache.put("rel", {"c": "3"}) for _ in range(3)])
    assert len(told) == 1
    assert "locked" in told[0]
    assert cache.get("rel", ["a", "c"]) == {"a": "1"}  # reading goes on
    with pytest.raises(UsageError, match=r"cannot be cleared: .*locked"):
        cache.clear()
    holder.execute("COMMIT")
    holder.close()
    cache.put("rel", {"c": "3"})  # not tried again: each time might wait in vain
    assert AnswerCache(path).info().entries == {"rel": 2}


def test_a_write_waits_for_another(path):
    filled(path)
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    releasing = threading.Timer(0.2, lambda: holder.execute("COMMIT"))
    releasing.start()
    cache = AnswerCache(path)
    assert warned(lambda: cache.put("rel", {"c": "3"})) == []
    releasing.join()
    holder.close()
    assert cache.get("rel", ["c"]) == {"c": "3"}


def test_a_file_that_cannot_be_written_is_still_read(path, monkeypatch):
    filled(path)
    before = path.read_bytes()
    writable = os.access
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK and writable(place, mode))
    cache = AnswerCache(path)
    assert cache.get("rel", ["a"]) == {"a": "1"}
    (told,) = warned(lambda: [cache.put("rel", {"c": "3"}) for _ in range(3)])
    assert "cannot be written: attempt to write a readonly database" in told
    assert cache.get("rel", ["a", "c"]) == {"a": "1"}
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    with pytest.raises(UsageError, match="readonly"):
        cache.clear()


READ_ONLY = """
import os, sys, urllib.parse, warnings  # all before the rights to read Python itself may be gone
from esascore.cache import AnswerCache
cache = AnswerCache(sys.argv[1])
if os.getuid() == 0:  # for root there are no rights to lack
    os.setgid(65534); os.setuid(65534)
if not os.access(sys.argv[1], os.R_OK):
    sys.exit("cannot be reached")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(cache.get("rel", ["a"]))
    cache.put("rel", {"c": "3"}); cache.put("rel", {"c": "3"})
    print(cache.get("rel", ["a", "c"]))
print(len(caught), caught[0].category.__name__, caught[0].message)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="rights are another matter there")
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o444), (0o777, 0o444), (0o555, 0o666)])
def test_without_the_right_to_write(tmp_path, folder_mode, file_mode):
    folder = tmp_path / "shared"
    path = folder / "c.sqlite"
    filled(path)
    for parent in (tmp_path, *tmp_path.parents[:2]):  # pytest keeps its folders to itself
        if parent.stat().st_uid == os.getuid():
            parent.chmod(0o755)
    path.chmod(file_mode)
    folder.chmod(folder_mode)
    command = [sys.executable, "-c", READ_ONLY, path]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    finally:
        folder.chmod(0o755)
    if done.stderr == "cannot be reached\n":
        pytest.skip("the folder for temporary files is closed to other users")
    assert done.stderr == ""
    read, reread, warning = done.stdout.split("\n", 2)
    assert (read, reread) == ("{'a': '1'}", "{'a': '1'}")
    assert warning.startswith("1 CacheWarning")
    assert "readonly database" in warning
    assert AnswerCache(path).info().entries == {"rel": 2}


FULL = """
import resource, sys, warnings
from esascore.cache import AnswerCache
warnings.simplefilter("always")
cache = AnswerCache(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
for n in range(3):
    cache.put("rel", {str(k): "x" * 1000 for k in range(n * 500, n * 500 + 500)})
print(cache.get("rel", ["a", "0", "700"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
def test_a_full_disk(path):
    filled(path)
    done = subprocess.run([sys.executable, "-c", FULL, path], check=True, capture_output=True, text=True)
    assert done.stdout == "{'a': '1'}\n"
    assert done.stderr.count("CacheWarning") == 1
    assert "cannot be written" in done.stderr
    cache = AnswerCache(path)
    assert cache.info().entries == {"rel": 2}
    cache.put("rel", {"c": "3"})
    assert cache.get("rel", ["a", "c"]) == {"a": "1", "c": "3"}


def test_a_transaction_that_breaks_off_leaves_nothing(path):
    cache = filled(path)
    with pytest.raises(AttributeError):
        cache.put("rel", {"c": "3", "d": None})
    assert cache.get("rel", ["a", "c"]) == {"a": "1"}
    cache.put("rel", {"c": "3"})
    assert cache.get("rel", ["c"]) == {"c": "3"}


def test_threads_share_a_cache(path):
    cache = AnswerCache(path)
    wrong = []

    def work(number):
        for turn in range(20):
            key = f"{number}-{turn}"
            cache.put("rel", {key: key, "shared": "same"})
            if cache.get("rel", [key, "shared"]) != {key: key, "shared": "same"}:
                wrong.append(key)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.info().entries == {"rel": 161}


PROCESS = """
import sys
from esascore.cache import AnswerCache
cache = AnswerCache(sys.argv[1])
for turn in range(30):
    key = sys.argv[2] + str(turn)
    cache.put("rel", {key: key, "shared": "same"})
    assert cache.get("rel", [key, "shared"]) == {key: key, "shared": "same"}
"""


def test_processes_make_and_share_a_cache(path):
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", PROCESS, path, name])
        for name in ("a", "b", "c", "d")
    ]
    assert [process.wait(60) for process in running] == [0] * 4
    info = AnswerCache(path).info()
    assert (dict(info.entries), info.problem) == ({"rel": 121}, None)


def use_in_child(cache, results):
    found = cache.get("rel", ["a"])
    cache.put("rel", {"from child": "1"})
    results.put(found)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_cache_crosses_to_other_processes(path, method):
    context = multiprocessing.get_context(method)
    cache = filled(path)
    results = context.SimpleQueue()
    child = context.Process(target=use_in_child, args=(cache, results))
    child.start()
    assert results.get() == {"a": "1"}
    child.join(30)
    assert child.exitcode == 0
    assert cache.get("rel", ["from child"]) == {"from child": "1"}


def test_a_cache_can_be_pickled(path):
    cache = AnswerCache(path, timeout=0.5)
    cache.put("rel", {"a": "1"})
    copy = pickle.loads(pickle.dumps(cache))
    assert copy.path == path
    assert copy.get("rel", ["a"]) == {"a": "1"}
