/* What the C tests check with: a condition that does not hold ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

/* Returns the size of a file and its contents, of which there is room for `capacity` bytes. */
static inline size_t load_file(const char *path, void *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    size_t size;
    CHECK(file);
    size = fread(bytes, 1, capacity, file);
    fclose(file);
    return size;
}

#endif
