"""Games on many machines: Dask workers that play shards of a simulation."""
