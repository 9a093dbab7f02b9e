"""Jobs of the workers: plain data in, plain data out. `registry` lists them."""
