from __future__ import annotations

from esascore.align.compiled import LIBRARIES, compile_now


def test_what_has_been_compiled_is_said(run, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    result = run("backends")
    assert result.code == 0
    assert "not compiled yet (esascore backends --compile): match, sequences" in result.out
    monkeypatch.undo()
    files = [compile_now(library) for library in LIBRARIES]
    assert "numba       yes   compiled: match, sequences\n" in run("backends").out
    told = run("backends", "--compile").out
    assert told == "".join(
        f"{one.name:<10}  compiled before: {file}\n" for one, file in zip(LIBRARIES, files, strict=True)
    )
