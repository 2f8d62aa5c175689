"""The sweep of docs/python.md on a local cluster."""

import numpy as np
import polycontact
from dask.distributed import Client, LocalCluster
from test_pair import motions


def part(path, positions, quaternions):
    return polycontact.Pair(path).evaluate_many(positions, quaternions, threads=1)["forceOnE"]


def test_a_cluster_finds_what_one_process_finds(contact):
    positions, quaternions, *_ = motions(400)
    parts = zip(np.array_split(positions, 8), np.array_split(quaternions, 8))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        forces = client.gather([client.submit(part, contact, *rows) for rows in parts])
    alone = polycontact.Pair(contact).evaluate_many(positions, quaternions)["forceOnE"]
    assert np.array_equal(np.concatenate(forces), alone)
    assert np.count_nonzero(alone) > 600
