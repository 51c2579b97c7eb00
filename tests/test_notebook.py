"""A notebook is executed, and its results show themselves."""

from __future__ import annotations

import warnings

import pytest

CELLS = (
    "import esascore\n"
    "from esascore.examples import example_corpus_path, example_output_paths\n"
    "found = esascore.evaluate(example_corpus_path(), example_output_paths(), metrics='esa,hallucination')\n"
    "found",
    "found.significance()",
    "found.show('Id7', system='dreamer')",
    "esascore.detect([('Bionico', 'country', 'Mexico')], 'Bionico is a dish.')",
    "esascore.hallucinations([('Bionico', 'country', 'Mexico')], 'Bionico is from Peru.')",
    "esascore.check(example_corpus_path(), example_output_paths(), max_hallucinations=0)",
)


def test_results_show_themselves_in_a_notebook(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs
        nbclient.NotebookClient(
            notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    for cell in notebook.cells:
        [output] = [one for one in cell.outputs if one.output_type == "execute_result"]
        html = output.data["text/html"]
        assert html.startswith("<style>")
        assert "<script" not in html
        assert output.data["text/plain"]
    assert "Minsk" in notebook.cells[2].outputs[0].data["text/html"]
