// The extension module `tilewright._kernels`: bind(name, *first) gives an entry as a function of its other arguments.
// Arrays come by the buffer protocol: a pointer and its lengths; a tuple is its parts, one after the other. One file
// serves Python 3.11 and later (Py_LIMITED_API), without the headers of numpy.

enum { MOST_WORDS = 256, MOST_ARRAYS = 64 };

typedef struct { // arguments as words, and the arrays that they point into
    int64_t words[MOST_WORDS];
    Py_buffer arrays[MOST_ARRAYS];
    int size, held;
} Given;

typedef struct { // an entry with its first arguments; `rest`: the types of the others
    const kc_entry *entry;
    const char *rest;
    PyMethodDef method;
    Given first;
} Bound;

static const char *const BOUND = "tilewright._kernels.bound";

static int is_element(const char *format, Py_ssize_t size, char kind) {
    static const struct { char kind; int size; const char *like; } kinds[] = {
        {'?', 1, "?"}, {'b', 1, "b"}, {'B', 1, "B"}, {'h', 2, "h"}, {'H', 2, "H"}, {'i', 4, "il"}, {'I', 4, "IL"},
        {'q', 8, "lq"}, {'Q', 8, "LQ"}, {'f', 4, "f"}, {'d', 8, "d"}};
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++)
        if (kinds[one].kind == kind) return size == kinds[one].size && strchr(kinds[one].like, *format) && !format[1];
    return 0;
}

static void release(Given *given) {
    for (int one = 0; one < given->held; one++) PyBuffer_Release(&given->arrays[one]);
    given->held = 0;
}

static int wrong(const char *why) {
    PyErr_SetString(PyExc_TypeError, why);
    return -1;
}

static int push_array(Given *given, const char **types, PyObject *value, char kind) {
    int dims = *(*types)++ - '0';
    Py_buffer *array = &given->arrays[given->held];
    if (given->held == MOST_ARRAYS) return wrong("too many arrays");
    if (PyObject_GetBuffer(value, array, PyBUF_FORMAT | PyBUF_ND) < 0) return -1;
    given->held++;
    if (array->ndim != dims || !is_element(array->format, array->itemsize, kind)) {
        PyErr_Format(PyExc_TypeError, "an array of %d dimensions of %c is expected, not of %d of %s", dims, kind,
                     array->ndim, array->format);
        return -1;
    }
    given->words[given->size++] = (int64_t)(intptr_t)array->buf;
    for (int dim = 0; dim < dims; dim++) given->words[given->size++] = array->shape[dim];
    return 0;
}

// Add an argument of the next type.
static int push(Given *given, const char **types, PyObject *value) {
    char kind = **types;
    if (!kind) return wrong("too many arguments");
    ++*types;
    if (given->size > MOST_WORDS - 8) return wrong("too many arguments");
    if (kind == '(') {
        if (!PyTuple_Check(value)) return wrong("a tuple is expected");
        for (Py_ssize_t one = 0, count = PyTuple_Size(value); one < count; one++) {
            if (**types == ')') return wrong("a tuple of fewer parts is expected");
            if (push(given, types, PyTuple_GetItem(value, one)) < 0) return -1;
        }
        if (**types != ')') return wrong("a tuple of more parts is expected");
        ++*types;
        return 0;
    }
    if (**types >= '0' && **types <= '9') return push_array(given, types, value, kind);
    int64_t *word = &given->words[given->size++];
    if (kind == 'd' || kind == 'f') {
        double number = PyFloat_AsDouble(value);
        memcpy(word, &number, 8);
    } else if (kind == '?') {
        int truth = PyObject_IsTrue(value);
        if (truth < 0) return -1;
        *word = truth;
    } else if (kind == 'Q') {
        PyObject *whole = PyNumber_Index(value);
        if (!whole) return -1;
        *word = (int64_t)PyLong_AsUnsignedLongLong(whole);
        Py_DECREF(whole);
    } else {
        *word = PyLong_AsLongLong(value);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *result_of(const kc_entry *entry, int64_t word) {
    switch (*entry->gives) {
    case 0: Py_INCREF(Py_None); return Py_None;
    case '?': return PyBool_FromLong(word != 0);
    case 'f':
    case 'd': return PyFloat_FromDouble(kc_real(word));
    case 'Q': return PyLong_FromUnsignedLongLong((uint64_t)word);
    default: return PyLong_FromLongLong(word);
    }
}

static int run(const kc_entry *entry, int64_t *words) { // whether it ended
    kc_trap trap, *before = kc_now;
    volatile int ended = 0;
    if (!setjmp(trap.back)) {
        kc_now = &trap;
        entry->run(words);
        ended = 1;
    }
    kc_now = before;
    if (!ended)
        PyErr_Format(PyExc_IndexError, "%s: in %s an index is %lld, of %lld", entry->name, trap.kernel,
                     (long long)trap.at, (long long)trap.size);
    return ended;
}

static int run_long(const kc_entry *entry, int64_t *words) { // the same, while other threads run
    kc_trap trap, *before = kc_now;
    volatile int ended = 0;
    PyThreadState *state = PyEval_SaveThread();
    if (!setjmp(trap.back)) {
        kc_now = &trap;
        entry->run(words);
        ended = 1;
    }
    kc_now = before;
    PyEval_RestoreThread(state);
    if (!ended)
        PyErr_Format(PyExc_IndexError, "%s: in %s an index is %lld, of %lld", entry->name, trap.kernel,
                     (long long)trap.at, (long long)trap.size);
    return ended;
}

static PyObject *called(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    Bound *bound = PyCapsule_GetPointer(self, BOUND);
    if (!bound) return NULL;
    const kc_entry *entry = bound->entry;
    const char *types = bound->rest;
    Given given;
    given.size = bound->first.size;
    given.held = 0;
    memcpy(given.words, bound->first.words, sizeof(int64_t) * (size_t)(given.size ? given.size : 1));
    PyObject *made = NULL;
    for (Py_ssize_t one = 0; one < count; one++)
        if (push(&given, &types, args[one]) < 0) goto end;
    if (*types) {
        PyErr_Format(PyExc_TypeError, "%s takes more arguments: %s", entry->name, entry->takes);
        goto end;
    }
    if (entry->is_long ? run_long(entry, given.words) : run(entry, given.words)) made = result_of(entry, given.words[0]);
end:
    release(&given);
    return made;
}

static void forget(PyObject *capsule) {
    Bound *bound = PyCapsule_GetPointer(capsule, BOUND);
    release(&bound->first);
    PyMem_Free(bound);
}

static PyObject *bind(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    const kc_entry *entry = kc_entries;
    if (count < 1) {
        wrong("bind takes the name of an entry");
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8AndSize(args[0], NULL);
    if (!name) return NULL;
    while (entry->name && strcmp(entry->name, name)) entry++;
    if (!entry->name) return PyErr_Format(PyExc_LookupError, "%s is no entry", name);
    Bound *bound = PyMem_Calloc(1, sizeof(Bound));
    if (!bound) return PyErr_NoMemory();
    bound->entry = entry;
    bound->rest = entry->takes;
    bound->method = (PyMethodDef){entry->name, (PyCFunction)(void (*)(void))called, METH_FASTCALL, NULL};
    for (Py_ssize_t one = 1; one < count; one++)
        if (push(&bound->first, &bound->rest, args[one]) < 0) goto failed;
    PyObject *capsule = PyCapsule_New(bound, BOUND, forget);
    if (!capsule) goto failed;
    PyObject *made = PyCFunction_NewEx(&bound->method, capsule, NULL); // which keeps the capsule
    Py_DECREF(capsule);
    return made;
failed:
    release(&bound->first);
    PyMem_Free(bound);
    return NULL;
}

static PyMethodDef methods[] = {
    {"bind", (PyCFunction)(void (*)(void))bind, METH_FASTCALL,
     "bind(name, *first): the entry module:function as a function of its other arguments."},
    {0}};

static int fill(PyObject *module) {
    PyObject *names = PyList_New(0);
    for (const kc_entry *entry = kc_entries; names && entry->name; entry++) {
        PyObject *name = PyUnicode_FromString(entry->name);
        if (!name || PyList_Append(names, name) < 0) return -1;
        Py_DECREF(name);
    }
    if (!names || PyModule_AddObjectRef(module, "entries", names) < 0) return -1;
    Py_DECREF(names);
    return PyModule_AddStringConstant(module, "fingerprint", kc_fingerprint) < 0 ||
                   PyModule_AddStringConstant(module, "sources", kc_sources) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, KC_MODULE, "Kernels of this version's sources, compiled.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC KC_INIT(void) { return PyModuleDef_Init(&module); }
