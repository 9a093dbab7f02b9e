"""Kernels to C: the functions that `@kernel` and `@entry` mark in, one file of C and the extension module out.

    c_types      the types of values, and what they are called in C
    values       a value on its way to C: its type and its text
    expressions  expressions of a kernel
    body         a kernel: its statements
    program      all kernels that entries reach, as one file
    building     the file compiled; what was compiled from what
    sources      where kernels are written

`head.h` begins every file of C, `module.c` is the extension module; `tools/build_hook.py` makes it part of wheels.
docs/kernels.md says what kernels may be written in.
"""
