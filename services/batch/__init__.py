"""Work in many independent tasks: done by processes of this machine or by a Dask cluster, and continued after it was cut off."""
