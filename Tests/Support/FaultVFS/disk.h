// What disks and images share.

#ifndef FAULT_DISK_H
#define FAULT_DISK_H

#include "volume.h"

/// The content of a file in memory.
typedef struct {
    unsigned char *bytes;
    int64_t size, capacity;
} contents;

/// Writes at a place; what lies between it and the end so far becomes zeros.
void contents_write(contents *, int64_t offset, const unsigned char *bytes, int64_t length);
void contents_truncate(contents *, int64_t size);

/// An image without files.
fault_image *image_create(int capacity);
/// Adds a file, whose bytes belong to the image from here on.
void image_add(fault_image *, const char *name, contents);

#endif
