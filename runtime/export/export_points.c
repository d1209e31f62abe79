// SPDX-License-Identifier: MIT
// Point caches: the positions of every frame in binary, beside an OBJ of the rest state in the same
// order, FILE.rest.obj, to which the cache is applied.
//   PC2: little-endian, a header of 32 bytes that says how many frames there are: corrected at the end.
//   MDD: big-endian, with the time of every frame before the first position: positions wait in a spool.
#include "runtime/export/export.h"
#include "runtime/export/export_spool.h"
#include "runtime/export/export_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct point_cache {
    bool big_endian;
    slv_atomic_file *file;
    slv_atomic_file *rest; // the OBJ
    slv_export_spool spool;
} point_cache;

static void put_word(unsigned char bytes[4], uint32_t word, bool big_endian) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(word >> (8 * (big_endian ? 3 - i : i)));
    }
}

static void put_float(unsigned char bytes[4], float number, bool big_endian) {
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    put_word(bytes, word, big_endian);
}

static slv_result check_counts(const slv_export *run, slv_error *error) {
    if (run->point_count > INT32_MAX || run->frame_count > INT32_MAX) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "%s files count points and frames to %d",
                        run->format->extension, INT32_MAX);
    }
    return SLV_OK;
}

// --- Both --------------------------------------------------------------------------------------------

static slv_result open_cache(slv_export *run, bool big_endian, slv_error *error) {
    point_cache *cache = calloc(1, sizeof *cache);
    char *rest = slv_export_beside(run, ".rest.obj");
    run->work = cache;
    if (!cache || !rest) {
        free(rest);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    cache->big_endian = big_endian;
    slv_result result = check_counts(run, error);
    if (result == SLV_OK) {
        result = slv_atomic_open(run->path, &cache->file, error);
    }
    if (result == SLV_OK) {
        result = slv_export_write_obj(run, rest, &cache->rest, error);
    }
    free(rest);
    return result;
}

static slv_result write_cache(slv_export *run, slv_error *error) {
    point_cache *cache = run->work;
    slv_export_text text;
    if (cache->spool.file) {
        slv_text_begin_spool(&text, &cache->spool, error);
    } else {
        slv_text_begin_file(&text, cache->file, error);
    }
    for (uint32_t m = 0; m < run->mesh_count; m++) {
        const slv_export_mesh *mesh = &run->meshes[m];
        for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
            unsigned char bytes[4];
            put_float(bytes, mesh->points[i], cache->big_endian);
            slv_text_put_bytes(&text, bytes, sizeof bytes);
        }
    }
    return slv_text_end(&text);
}

// The OBJ first: where there is a cache, there is the mesh to apply it to.
static slv_result publish(point_cache *cache, slv_error *error) {
    slv_result result = slv_atomic_flush(cache->file, error);
    if (result == SLV_OK) {
        result = slv_atomic_flush(cache->rest, error);
    }
    if (result == SLV_OK) {
        slv_atomic_file *files[] = {cache->rest, cache->file};
        cache->rest = NULL;
        cache->file = NULL;
        result = slv_atomic_publish_all(files, 2, NULL, error);
    }
    return result;
}

static void close_cache(slv_export *run) {
    point_cache *cache = run->work;
    if (cache) {
        slv_atomic_abandon(cache->file);
        slv_atomic_abandon(cache->rest);
        slv_spool_close(&cache->spool);
        free(cache);
        run->work = NULL;
    }
}

// --- PC2 ---------------------------------------------------------------------------------------------

enum { PC2_HEADER = 32, PC2_FRAMES_AT = 28 };

static slv_result open_pc2(slv_export *run, slv_error *error) {
    slv_result result = open_cache(run, false, error);
    unsigned char header[PC2_HEADER] = "POINTCACHE2";
    put_word(header + 12, 1, false); // version
    put_word(header + 16, (uint32_t)run->point_count, false);
    put_float(header + 20, 0.0f, false); // first frame
    put_float(header + 24, 1.0f, false); // frames from one sample to the next
    return result == SLV_OK
               ? slv_atomic_write(((point_cache *)run->work)->file, header, sizeof header, error)
               : result;
}

static slv_result finish_pc2(slv_export *run, slv_error *error) {
    point_cache *cache = run->work;
    unsigned char count[4];
    put_word(count, (uint32_t)run->frame_count, false);
    slv_result result = check_counts(run, error);
    if (result == SLV_OK) {
        result = slv_atomic_write_at(cache->file, PC2_FRAMES_AT, count, sizeof count, error);
    }
    return result == SLV_OK ? publish(cache, error) : result;
}

const slv_export_format slv_export_pc2 = {
    .extension = ".pc2",
    .open = open_pc2,
    .write = write_cache,
    .finish = finish_pc2,
    .close = close_cache,
};

// --- MDD ---------------------------------------------------------------------------------------------

static slv_result open_mdd(slv_export *run, slv_error *error) {
    slv_result result = open_cache(run, true, error);
    return result == SLV_OK ? slv_spool_open(&((point_cache *)run->work)->spool, run->path, error)
                            : result;
}

static slv_result finish_mdd(slv_export *run, slv_error *error) {
    point_cache *cache = run->work;
    slv_result result = check_counts(run, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_export_text text;
    unsigned char bytes[4];
    slv_text_begin_file(&text, cache->file, error);
    put_word(bytes, (uint32_t)run->frame_count, true);
    slv_text_put_bytes(&text, bytes, sizeof bytes);
    put_word(bytes, (uint32_t)run->point_count, true);
    slv_text_put_bytes(&text, bytes, sizeof bytes);
    for (uint64_t frame = 0; frame < run->frame_count; frame++) {
        put_float(bytes, (float)((double)frame / run->frame_rate), true);
        slv_text_put_bytes(&text, bytes, sizeof bytes);
    }
    result = slv_text_end(&text);
    if (result == SLV_OK) {
        result = slv_spool_copy(&cache->spool, cache->file, error);
    }
    return result == SLV_OK ? publish(cache, error) : result;
}

const slv_export_format slv_export_mdd = {
    .extension = ".mdd",
    .open = open_mdd,
    .write = write_cache,
    .finish = finish_mdd,
    .close = close_cache,
};
