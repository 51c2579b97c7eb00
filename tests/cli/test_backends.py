from __future__ import annotations

from esascore.align import compiled


def test_what_is_missing_is_said_and_compiled(run, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "BUILT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for library in compiled.LIBRARIES:
        monkeypatch.delitem(vars(library), "code", raising=False)
    assert "not compiled yet (esascore backends --compile): match, sequences" in run("backends").out
    told, again = (run("backends", "--compile").out.splitlines() for _ in range(2))
    for library, line, later in zip(compiled.LIBRARIES, told, again, strict=True):
        path = tmp_path / "esascore" / library.file(compiled.fitting_targets()[0])
        assert line.startswith(f"{library.name:<10}  compiled in ")
        assert line.endswith(f" s: {path}")
        assert later == f"{library.name:<10}  compiled before: {path}"
    assert "numba       yes   compiled: match, sequences\n" in run("backends").out
