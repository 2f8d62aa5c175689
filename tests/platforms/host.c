/* A host of few lines: loads the library of a packaged FMU, moves the pair, and prints the bits of every
 * output in hexadecimal, a line per step.
 *
 * Usage: host LIBRARY PLAN, where PLAN has the guid, the resources as a URI, the number of steps, and the value
 * references of the position (3), of the velocity (3) and of all real outputs.
 *
 * Compiled for any platform, it must print the same. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define LOAD(path) ((void *)LoadLibraryA(path))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#else
#include <dlfcn.h>
#define LOAD(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif

typedef void *Component;
typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct {
    Logger logger;
    void *allocate, *release, *finished, *environment;
} Callbacks;

static void tell(void *environment, const char *instance, int status, const char *category, const char *text, ...)
{
    va_list values;
    (void)environment;
    va_start(values, text);
    fprintf(stderr, "%s %d %s: ", instance, status, category);
    vfprintf(stderr, text, values);
    fprintf(stderr, "\n");
    va_end(values);
}

static void require(int is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "host: %s failed\n", what);
        exit(1);
    }
}

int main(int count, char **words)
{
    static char guid[200], resources[2000];
    static unsigned references[500];
    static double values[500];
    int steps, used = 0, step, k;
    require(count == 3, "LIBRARY PLAN");
    FILE *plan = fopen(words[2], "r");
    require(plan && fscanf(plan, "%199s %1999s %d", guid, resources, &steps) == 3, "reading the plan");
    while (used < 500 && fscanf(plan, "%u", &references[used]) == 1) used++;
    fclose(plan);
    require(6 < used && used < 500, "reading the references");

    void *library = LOAD(words[1]);
    require(library != NULL, "loading the library");
    Component (*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int, int);
    int (*setup)(Component, int, double, double, int, double);
    int (*enter)(Component), (*leave)(Component), (*end)(Component);
    int (*set)(Component, const unsigned *, size_t, const double *);
    int (*get)(Component, const unsigned *, size_t, double *);
    int (*do_step)(Component, double, double, int);
    void (*free_instance)(Component);
    *(void **)&instantiate = FIND(library, "fmi2Instantiate");
    *(void **)&setup = FIND(library, "fmi2SetupExperiment");
    *(void **)&enter = FIND(library, "fmi2EnterInitializationMode");
    *(void **)&leave = FIND(library, "fmi2ExitInitializationMode");
    *(void **)&end = FIND(library, "fmi2Terminate");
    *(void **)&set = FIND(library, "fmi2SetReal");
    *(void **)&get = FIND(library, "fmi2GetReal");
    *(void **)&do_step = FIND(library, "fmi2DoStep");
    *(void **)&free_instance = FIND(library, "fmi2FreeInstance");
    require(instantiate && setup && enter && leave && end && set && get && do_step && free_instance, "finding the functions");

    Callbacks callbacks = { tell, NULL, NULL, NULL, NULL };
    Component instance = instantiate("host", 1, guid, resources, &callbacks, 0, 1);
    require(instance != NULL, "fmi2Instantiate");
    require(setup(instance, 0, 0.0, 0.0, 0, 0.0) == 0, "fmi2SetupExperiment");
    require(enter(instance) == 0, "fmi2EnterInitializationMode");
    require(leave(instance) == 0, "fmi2ExitInitializationMode");
    for (step = 0; step < steps; step++) {
        /* Into the plate by up to 4 mm and out of it, and sideways: numbers without rounding in the host. */
        double part = (double)(step % 32) / 16.0 - 1.0, time = step / 1024.0;
        double motion[6] = { time / 4.0, 0.0, -0.0960 - 0.0064 * part * part, 0.25, 0.0, -0.4096 * part };
        require(set(instance, references, 6, motion) == 0, "fmi2SetReal");
        require(do_step(instance, time, 1.0 / 1024.0, 1) == 0, "fmi2DoStep");
        require(get(instance, references + 6, used - 6, values) == 0, "fmi2GetReal");
        for (k = 0; k < used - 6; k++) {
            unsigned long long bits;
            memcpy(&bits, &values[k], sizeof bits);
            printf("%08lx%08lx%c", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffUL), k == used - 7 ? '\n' : ' ');
        }
    }
    require(end(instance) == 0, "fmi2Terminate");
    free_instance(instance);
    return 0;
}
