"""`Scorer` adds scores to the batches of other engines: Ray Data, Hugging Face datasets, Spark, Dask."""

from esascore.run.batches import Scorer

__all__ = ["Scorer"]
