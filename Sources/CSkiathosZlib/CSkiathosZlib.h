#ifndef CSKIATHOSZLIB_H
#define CSKIATHOSZLIB_H

#include <zlib.h>

// The macros that start zlib check the version and the size of the stream, which Swift does not
// see.

static inline int skiathos_inflate_start(z_streamp stream, int window) {
    return inflateInit2(stream, window);
}

static inline int skiathos_deflate_start(z_streamp stream, int level, int window) {
    return deflateInit2(stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
}

#endif
