"""Computing: arrays that are kept on disk, and kernels over them."""
