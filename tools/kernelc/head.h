// Written by tools/kernelc: do not edit. Compile with -fwrapv (whole numbers wrap around) and -ffp-contract=off (no fused
// arithmetic), or results differ from those of Python and of other processors.
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct { // an entry: its name, the types of its arguments and of its result; whether it may run for long
    const char *name, *takes, *gives;
    int is_long;
    void (*run)(int64_t *words);
} kc_entry;

// Every index that is written at is looked at; with KC_CHECKED every one that is read at, too. One that is none ends the
// entry, which raises IndexError.
typedef struct {
    jmp_buf back;
    const char *kernel;
    int64_t at, size;
} kc_trap;
static __thread kc_trap *kc_now;

static _Noreturn void kc_fail(int64_t at, int64_t size, const char *kernel) {
    kc_now->kernel = kernel;
    kc_now->at = at;
    kc_now->size = size;
    longjmp(kc_now->back, 1);
}
static inline int64_t kc_at(int64_t at, int64_t size, const char *kernel) {
    if (__builtin_expect((uint64_t)at >= (uint64_t)size, 0)) kc_fail(at, size, kernel);
    return at;
}
#define KC_WRITES(at, size) kc_at(at, size, __func__)
#ifdef KC_CHECKED
#define KC_READS(at, size) kc_at(at, size, __func__)
#else
#define KC_READS(at, size) (at)
#endif
#define R1(a, i) (a).p[KC_READS(i, (a).n0)]
#define R2(a, i, j) (a).p[KC_READS(i, (a).n0) * (a).n1 + KC_READS(j, (a).n1)]
#define R3(a, i, j, k) (a).p[(KC_READS(i, (a).n0) * (a).n1 + KC_READS(j, (a).n1)) * (a).n2 + KC_READS(k, (a).n2)]
#define W1(a, i) (a).p[KC_WRITES(i, (a).n0)]
#define W2(a, i, j) (a).p[KC_WRITES(i, (a).n0) * (a).n1 + KC_WRITES(j, (a).n1)]
#define W3(a, i, j, k) (a).p[(KC_WRITES(i, (a).n0) * (a).n1 + KC_WRITES(j, (a).n1)) * (a).n2 + KC_WRITES(k, (a).n2)]

static inline int64_t kc_div(int64_t a, int64_t b) { // rounded down; by 0: 0
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t kc_mod(int64_t a, int64_t b) { // of the sign of b
    if (b == 0 || b == -1) return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
static inline int64_t kc_abs(int64_t a) { return a < 0 ? (int64_t)(0 - (uint64_t)a) : a; }
static inline int64_t kc_lowest_bit(int64_t a) { return a ? __builtin_ctzll((uint64_t)a) : -1; }
static inline int64_t kc_within(int64_t at, int64_t size) { // an end of a slice
    at = at < 0 ? at + size : at;
    return at < 0 ? 0 : at > size ? size : at;
}
static inline int64_t kc_min_i64(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t kc_max_i64(int64_t a, int64_t b) { return b > a ? b : a; }
static inline double kc_min_f64(double a, double b) { return b < a ? b : a; }
static inline double kc_max_f64(double a, double b) { return b > a ? b : a; }
static inline double kc_real(int64_t bits) {
    double number;
    memcpy(&number, &bits, 8);
    return number;
}
static inline int64_t kc_bits(double number) {
    int64_t bits;
    memcpy(&bits, &number, 8);
    return bits;
}
