/* Calls an unzipped contact FMU (FMI 2.0 Co-Simulation) from Modelica's external functions.
 *
 * Everything is static, because a Modelica tool may include this file in several of its C files. The FMU's wrenches are
 * a function of its inputs, so that setting inputs and getting outputs is all that happens after initialization.
 * Messages end at the tool's ModelicaFormatError, which does not return: what has been taken is released before.
 */
#ifndef POLYGONAL_CONTACT_FMU_H
#define POLYGONAL_CONTACT_FMU_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ModelicaUtilities.h"

#if defined(_WIN32)
#include <windows.h>
#define POLYGONAL_CONTACT_LIBRARY "binaries/win64/PolygonalContact.dll"
typedef HMODULE PolygonalContactLibrary;
#else
#include <dlfcn.h>
#if defined(__APPLE__)
#define POLYGONAL_CONTACT_LIBRARY "binaries/darwin64/PolygonalContact.dylib"
#else
#define POLYGONAL_CONTACT_LIBRARY "binaries/linux64/PolygonalContact.so"
#endif
typedef void *PolygonalContactLibrary;
#endif

/* Types of FMI 2.0, sections 2.1.2 to 2.1.5, as far as they are used here. */
typedef void (*PolygonalContactLogger)(void *environment, const char *instance, int status, const char *category,
                                       const char *message, ...);
typedef struct {
    PolygonalContactLogger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *, int);
    void *environment;
} PolygonalContactCallbacks;

enum {
    POLYGONAL_CONTACT_CO_SIMULATION = 1, /* fmi2CoSimulation */
    POLYGONAL_CONTACT_WARNING = 1,       /* fmi2Warning: the worst status with which values are valid */
    POLYGONAL_CONTACT_INPUTS = 18,
    POLYGONAL_CONTACT_OUTPUTS = 12,
    POLYGONAL_CONTACT_PATH = 4096,
    POLYGONAL_CONTACT_MESSAGE = 1024
};

typedef struct {
    PolygonalContactLibrary library;
    void *component;
    PolygonalContactCallbacks callbacks;
    unsigned int inputs[POLYGONAL_CONTACT_INPUTS];   /* value references, in the order of the arguments */
    unsigned int outputs[POLYGONAL_CONTACT_OUTPUTS];
    int (*setReal)(void *, const unsigned int *, size_t, const double *);
    int (*getReal)(void *, const unsigned int *, size_t, double *);
    int (*terminate)(void *);
    void (*freeInstance)(void *);
    char message[POLYGONAL_CONTACT_MESSAGE]; /* what the FMU or this file said last */
} PolygonalContact;

static void polygonalContactLog(void *environment, const char *instance, int status, const char *category,
                                const char *message, ...) {
    PolygonalContact *contact = (PolygonalContact *)environment;
    va_list arguments;
    (void)instance;
    (void)category;
    if (contact == NULL || status < POLYGONAL_CONTACT_WARNING) {
        return;
    }
    va_start(arguments, message);
    vsnprintf(contact->message, sizeof contact->message, message, arguments);
    va_end(arguments);
    if (status == POLYGONAL_CONTACT_WARNING) {
        ModelicaFormatMessage("Contact FMU: %s\n", contact->message);
    }
}

static void polygonalContactRelease(PolygonalContact *contact) {
    if (contact->component != NULL) {
        contact->freeInstance(contact->component);
    }
    if (contact->library != NULL) {
#if defined(_WIN32)
        FreeLibrary(contact->library);
#else
        dlclose(contact->library);
#endif
    }
    free(contact);
}

/* A function of the library; NULL and a message where it is missing. */
static void *polygonalContactFunction(PolygonalContact *contact, const char *name) {
    void *function;
#if defined(_WIN32)
    function = (void *)GetProcAddress(contact->library, name);
#else
    function = dlsym(contact->library, name);
#endif
    if (function == NULL) {
        snprintf(contact->message, sizeof contact->message, "the library has no function %s", name);
    }
    return function;
}

/* The text of folder/modelDescription.xml, to be freed; NULL and a message where it cannot be read. */
static char *polygonalContactDescription(PolygonalContact *contact, const char *folder) {
    char path[POLYGONAL_CONTACT_PATH];
    FILE *file;
    char *text = NULL;
    long size = -1;
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    file = fopen(path, "rb");
    if (file != NULL) {
        if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
            text = (char *)malloc((size_t)size + 1);
        }
        if (text != NULL) {
            text[fread(text, 1, (size_t)size, file)] = '\0';
        }
        fclose(file);
    }
    if (text == NULL) {
        snprintf(contact->message, sizeof contact->message,
                 "cannot read modelDescription.xml there; unzip the FMU into this folder");
    }
    return text;
}

/* The value of an attribute behind a place in the description, up to the end of its element. */
static int polygonalContactAttribute(const char *place, const char *name, char *value, size_t size) {
    const char *end = strchr(place, '>');
    const char *start = strstr(place, name);
    size_t length;
    if (start == NULL || end == NULL || end < start) {
        return 0;
    }
    start += strlen(name);
    length = strcspn(start, "\"");
    if (length + 1 > size) {
        return 0;
    }
    memcpy(value, start, length);
    value[length] = '\0';
    return 1;
}

/* The value reference of a variable; 0 and a message where the description has none. */
static int polygonalContactReference(PolygonalContact *contact, const char *description, const char *name,
                                     unsigned int *reference) {
    char quoted[64], value[32];
    const char *place;
    snprintf(quoted, sizeof quoted, " name=\"%s\"", name);
    place = strstr(description, quoted);
    if (place == NULL || !polygonalContactAttribute(place, " valueReference=\"", value, sizeof value)) {
        snprintf(contact->message, sizeof contact->message,
                 "it has no variable %s; package the FMU with orientation = \"matrix\"", name);
        return 0;
    }
    *reference = (unsigned int)strtoul(value, NULL, 10);
    return 1;
}

/* The value references of a vector (columns = 0) or a matrix, by rows. */
static int polygonalContactReferences(PolygonalContact *contact, const char *description, const char *name, int rows,
                                      int columns, unsigned int *references) {
    char element[64];
    int row, column;
    for (row = 1; row <= rows; row++) {
        for (column = 1; column <= (columns == 0 ? 1 : columns); column++) {
            if (columns == 0) {
                snprintf(element, sizeof element, "%s[%d]", name, row);
            } else {
                snprintf(element, sizeof element, "%s[%d,%d]", name, row, column);
            }
            if (!polygonalContactReference(contact, description, element, references++)) {
                return 0;
            }
        }
    }
    return 1;
}

/* folder/resources as a URI: what is not a plain character of a path is percent-encoded. */
static int polygonalContactResources(const char *folder, char *uri, size_t size) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:";
    const char *parts[2];
    size_t used = (size_t)snprintf(uri, size, folder[0] == '/' ? "file://" : "file:///");
    int part;
    parts[0] = folder;
    parts[1] = "/resources";
    for (part = 0; part < 2; part++) {
        const char *next;
        for (next = parts[part]; *next != '\0'; next++) {
            char c = *next == '\\' ? '/' : *next;
            if (used + 4 > size) {
                return 0;
            }
            used += (size_t)snprintf(uri + used, size - used, strchr(plain, c) != NULL ? "%c" : "%%%02X",
                                     strchr(plain, c) != NULL ? c : (unsigned char)c);
        }
    }
    return 1;
}

/* Loads and initializes; 0 and a message on failure. */
static int polygonalContactStart(PolygonalContact *contact, const char *folder, const char *instanceName) {
    char path[POLYGONAL_CONTACT_PATH], resources[3 * POLYGONAL_CONTACT_PATH], guid[128];
    char *description = polygonalContactDescription(contact, folder);
    const char *model;
    int known;
    void *(*instantiate)(const char *, int, const char *, const char *, const PolygonalContactCallbacks *, int, int);
    int (*setupExperiment)(void *, int, double, double, int, double);
    int (*enterInitialization)(void *);
    int (*exitInitialization)(void *);
    if (description == NULL) {
        return 0;
    }
    model = strstr(description, "<fmiModelDescription");
    known = model != NULL && polygonalContactAttribute(model, " guid=\"", guid, sizeof guid);
    if (!known) {
        snprintf(contact->message, sizeof contact->message, "modelDescription.xml has no guid: it is not an FMU's");
    }
    known = known && polygonalContactReferences(contact, description, "relativePosition", 3, 0, contact->inputs)
            && polygonalContactReferences(contact, description, "relativeOrientation", 3, 3, contact->inputs + 3)
            && polygonalContactReferences(contact, description, "relativeVelocity", 3, 0, contact->inputs + 12)
            && polygonalContactReferences(contact, description, "relativeAngularVelocity", 3, 0, contact->inputs + 15)
            && polygonalContactReferences(contact, description, "forceOnE", 3, 0, contact->outputs)
            && polygonalContactReferences(contact, description, "torqueOnE", 3, 0, contact->outputs + 3)
            && polygonalContactReferences(contact, description, "forceOnF", 3, 0, contact->outputs + 6)
            && polygonalContactReferences(contact, description, "torqueOnF", 3, 0, contact->outputs + 9);
    free(description);
    if (!known) {
        return 0;
    }

    snprintf(path, sizeof path, "%s/" POLYGONAL_CONTACT_LIBRARY, folder);
#if defined(_WIN32)
    contact->library = LoadLibraryA(path);
    if (contact->library == NULL) {
        snprintf(contact->message, sizeof contact->message, "cannot load " POLYGONAL_CONTACT_LIBRARY " (error %lu)",
                 (unsigned long)GetLastError());
        return 0;
    }
#else
    contact->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (contact->library == NULL) {
        snprintf(contact->message, sizeof contact->message, "cannot load its library: %s", dlerror());
        return 0;
    }
#endif
    /* ISO C knows no cast from object to function pointer; POSIX and Windows do. */
    *(void **)&instantiate = polygonalContactFunction(contact, "fmi2Instantiate");
    *(void **)&setupExperiment = polygonalContactFunction(contact, "fmi2SetupExperiment");
    *(void **)&enterInitialization = polygonalContactFunction(contact, "fmi2EnterInitializationMode");
    *(void **)&exitInitialization = polygonalContactFunction(contact, "fmi2ExitInitializationMode");
    *(void **)&contact->setReal = polygonalContactFunction(contact, "fmi2SetReal");
    *(void **)&contact->getReal = polygonalContactFunction(contact, "fmi2GetReal");
    *(void **)&contact->terminate = polygonalContactFunction(contact, "fmi2Terminate");
    *(void **)&contact->freeInstance = polygonalContactFunction(contact, "fmi2FreeInstance");
    if (instantiate == NULL || setupExperiment == NULL || enterInitialization == NULL || exitInitialization == NULL
        || contact->setReal == NULL || contact->getReal == NULL || contact->terminate == NULL
        || contact->freeInstance == NULL) {
        return 0;
    }
    if (!polygonalContactResources(folder, resources, sizeof resources)) {
        snprintf(contact->message, sizeof contact->message, "the path of the folder is too long");
        return 0;
    }
    contact->callbacks.logger = polygonalContactLog;
    contact->callbacks.allocateMemory = calloc;
    contact->callbacks.freeMemory = free;
    contact->callbacks.environment = contact;
    snprintf(contact->message, sizeof contact->message, "the FMU gives no reason");
    contact->component = instantiate(instanceName, POLYGONAL_CONTACT_CO_SIMULATION, guid, resources,
                                     &contact->callbacks, 0, 1);
    return contact->component != NULL
           && setupExperiment(contact->component, 0, 0.0, 0.0, 0, 0.0) <= POLYGONAL_CONTACT_WARNING
           && enterInitialization(contact->component) <= POLYGONAL_CONTACT_WARNING
           && exitInitialization(contact->component) <= POLYGONAL_CONTACT_WARNING;
}

/* An initialized instance of the FMU in a folder. */
static void *polygonalContactOpen(const char *fmuFolder, const char *instanceName) {
    PolygonalContact *contact = (PolygonalContact *)calloc(1, sizeof(PolygonalContact));
    char folder[POLYGONAL_CONTACT_PATH], message[POLYGONAL_CONTACT_MESSAGE];
    if (contact == NULL) {
        ModelicaError("Contact FMU: no memory");
        return NULL;
    }
    /* The FMU needs an absolute path for its resources. */
#if defined(_WIN32)
    if (_fullpath(folder, fmuFolder, sizeof folder) == NULL) {
        snprintf(folder, sizeof folder, "%s", fmuFolder);
    }
#else
    {
        char *absolute = realpath(fmuFolder, NULL);
        snprintf(folder, sizeof folder, "%s", absolute == NULL ? fmuFolder : absolute);
        free(absolute);
    }
#endif
    if (!polygonalContactStart(contact, folder, instanceName)) {
        memcpy(message, contact->message, sizeof message);
        polygonalContactRelease(contact);
        ModelicaFormatError("Contact FMU in the folder \"%s\": %s", folder, message);
        return NULL;
    }
    return contact;
}

static void polygonalContactClose(void *object) {
    PolygonalContact *contact = (PolygonalContact *)object;
    if (contact != NULL) {
        contact->terminate(contact->component);
        polygonalContactRelease(contact);
    }
}

/* The wrenches for a relative motion. Matrices come by rows, as in the FMU. */
static void polygonalContactEvaluate(void *object, const double *relativePosition, const double *relativeOrientation,
                                     const double *relativeVelocity, const double *relativeAngularVelocity,
                                     double *forceOnE, double *torqueOnE, double *forceOnF, double *torqueOnF) {
    PolygonalContact *contact = (PolygonalContact *)object;
    const size_t vector = 3 * sizeof(double);
    double inputs[POLYGONAL_CONTACT_INPUTS], outputs[POLYGONAL_CONTACT_OUTPUTS];
    memcpy(inputs, relativePosition, vector);
    memcpy(inputs + 3, relativeOrientation, 3 * vector);
    memcpy(inputs + 12, relativeVelocity, vector);
    memcpy(inputs + 15, relativeAngularVelocity, vector);
    if (contact->setReal(contact->component, contact->inputs, POLYGONAL_CONTACT_INPUTS, inputs)
            > POLYGONAL_CONTACT_WARNING
        || contact->getReal(contact->component, contact->outputs, POLYGONAL_CONTACT_OUTPUTS, outputs)
               > POLYGONAL_CONTACT_WARNING) {
        ModelicaFormatError("Contact FMU: %s", contact->message);
        return;
    }
    memcpy(forceOnE, outputs, vector);
    memcpy(torqueOnE, outputs + 3, vector);
    memcpy(forceOnF, outputs + 6, vector);
    memcpy(torqueOnF, outputs + 9, vector);
}

#endif
