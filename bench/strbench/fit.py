# SPDX-License-Identifier: GPL-2.0-only
"""The line through delays: a cost for each message and one for each byte."""


def line(points):
    """
    (intercept, slope) of delay over size by least squares, errors taken
    relative to the delay: else large messages alone would decide.
    points: [(size, delay)...]; None with fewer than two sizes.
    """
    if len(points) < 2:
        return None
    weights = [1 / (y * y) for _, y in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, points)) / total
    spread = sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, points))
    if not spread:
        return None
    slope = sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, points)) / spread
    return mean_y - slope * mean_x, slope
