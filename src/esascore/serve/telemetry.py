"""Counts of what a server has done, in the format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Telemetry:
    """Counts requests by route and status, their seconds, and what was found.

    Examples
    --------
    >>> told = Telemetry()
    >>> told.request("/v1/check", 200, 0.004)
    >>> told.add({"texts": 3})
    >>> print(told.text({"workers": 2}).split("# TYPE esascore_texts_total counter")[1].strip())
    esascore_texts_total 3
    # TYPE esascore_workers gauge
    esascore_workers 2
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._sums: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()

    def request(self, route: str, status: int, seconds: float) -> None:
        """Note a request that was answered."""
        self._requests[route, status] += 1
        row = self._seconds.setdefault(route, [0] * (len(BUCKETS) + 1))
        row[bisect_left(BUCKETS, seconds)] += 1
        self._sums[route] += seconds  # type: ignore[assignment]

    def add(self, counts: Mapping[str, int]) -> None:
        """Add what the work on a request found."""
        self._counts.update(counts)

    def text(self, gauges: Mapping[str, int]) -> str:
        """Return all counts so far, and the present state."""
        lines = ["# TYPE esascore_requests_total counter"]
        for (route, status), number in sorted(self._requests.items()):
            lines.append(f'esascore_requests_total{{route="{route}",status="{status}"}} {number}')
        lines.append("# TYPE esascore_request_seconds histogram")
        for route, row in sorted(self._seconds.items()):
            below = 0
            for bound, number in zip((*map(str, BUCKETS), "+Inf"), row, strict=True):
                below += number
                lines.append(f'esascore_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}')
            lines.append(f'esascore_request_seconds_sum{{route="{route}"}} {self._sums[route]:.6f}')
            lines.append(f'esascore_request_seconds_count{{route="{route}"}} {below}')
        for name, number in sorted(self._counts.items()):
            lines += [f"# TYPE esascore_{name}_total counter", f"esascore_{name}_total {number}"]
        for name, number in gauges.items():
            lines += [f"# TYPE esascore_{name} gauge", f"esascore_{name} {number}"]
        return "\n".join(lines) + "\n"
