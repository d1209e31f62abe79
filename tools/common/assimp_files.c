// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#define XXH_INLINE_ALL
#include "tools/common/assimp_files.h"

#include "tools/common/grow.h"
#include "tools/common/input_file.h"

#include <string.h>
#include <xxhash.h>

// Assimp opens files to see whether they exist, too (textures, say). Content is therefore loaded,
// noted and hashed at the first read, not when the file is opened.

struct slv_assimp_files {
    XXH3_state_t hash; // first: it wants more alignment than malloc gives
    struct aiFileIO io;
    char **paths;
    uint32_t count;
    uint32_t capacity;
    bool failed; // out of memory on the way: the list is not complete
};

typedef struct open_file {
    struct aiFile file; // first, so that Assimp's pointer is ours
    slv_assimp_files *files;
    char *path;
    slv_input_file content;
    size_t at;
} open_file;

// --- what was read -------------------------------------------------------------------------------

static void note(slv_assimp_files *files, const char *path, const slv_input_file *content) {
    for (uint32_t f = 0; f < files->count; f++) {
        if (!strcmp(files->paths[f], path)) {
            return;
        }
    }
    void *array = files->paths;
    char *copy = strdup(path);
    bool ok = copy &&
              slv_grow(&array, &files->capacity, (uint64_t)files->count + 1, sizeof *files->paths);
    files->paths = array;
    if (!ok) {
        free(copy);
        files->failed = true;
        return;
    }
    files->paths[files->count++] = copy;
    (void)XXH3_64bits_update(&files->hash, content->bytes, content->size);
}

static bool load(open_file *file) {
    if (file->content.bytes == NULL &&
        slv_input_file_read(file->path, &file->content, NULL) == SLV_OK) {
        note(file->files, file->path, &file->content);
    }
    return file->content.bytes != NULL;
}

// --- Assimp's calls ------------------------------------------------------------------------------

static size_t read_items(struct aiFile *handle, char *to, size_t size, size_t count) {
    open_file *file = (open_file *)handle;
    if (size == 0 || !load(file)) {
        return 0;
    }
    size_t items = (file->content.size - file->at) / size;
    items = items < count ? items : count;
    memcpy(to, file->content.bytes + file->at, items * size);
    file->at += items * size;
    return items;
}

static size_t write_nothing(struct aiFile *handle, const char *from, size_t size, size_t count) {
    (void)handle;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell(struct aiFile *handle) {
    return ((open_file *)handle)->at;
}

static size_t file_size(struct aiFile *handle) {
    open_file *file = (open_file *)handle;
    return load(file) ? file->content.size : 0;
}

// Offsets are unsigned, yet importers step back by casting negative ones: sums wrap as they expect.
static enum aiReturn seek(struct aiFile *handle, size_t offset, enum aiOrigin origin) {
    open_file *file = (open_file *)handle;
    if (!load(file)) {
        return aiReturn_FAILURE;
    }
    size_t base = origin == aiOrigin_SET   ? 0
                  : origin == aiOrigin_CUR ? file->at
                                           : file->content.size;
    if (base + offset > file->content.size) {
        return aiReturn_FAILURE;
    }
    file->at = base + offset;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *handle) {
    (void)handle;
}

static struct aiFile *open_for_reading(struct aiFileIO *io, const char *path, const char *mode) {
    if (strpbrk(mode, "wa+") || slv_input_file_check(path, NULL) != SLV_OK) {
        return NULL;
    }
    open_file *file = calloc(1, sizeof *file);
    char *copy = strdup(path);
    if (file == NULL || copy == NULL) {
        free(file);
        free(copy);
        return NULL;
    }
    file->file = (struct aiFile){.ReadProc = read_items,
                                 .WriteProc = write_nothing,
                                 .TellProc = tell,
                                 .FileSizeProc = file_size,
                                 .SeekProc = seek,
                                 .FlushProc = flush_nothing};
    file->files = (slv_assimp_files *)(void *)io->UserData;
    file->path = copy;
    return &file->file;
}

static void close_file(struct aiFileIO *io, struct aiFile *handle) {
    (void)io;
    open_file *file = (open_file *)handle;
    slv_input_file_free(&file->content);
    free(file->path);
    free(file);
}

// --- the door ------------------------------------------------------------------------------------

slv_assimp_files *slv_assimp_files_create(void) {
    slv_assimp_files *files = NULL;
    if (posix_memalign((void **)&files, 64, sizeof *files) != 0) {
        return NULL;
    }
    memset(files, 0, sizeof *files);
    files->io.OpenProc = open_for_reading;
    files->io.CloseProc = close_file;
    files->io.UserData = (char *)files;
    (void)XXH3_64bits_reset(&files->hash);
    return files;
}

void slv_assimp_files_destroy(slv_assimp_files *files) {
    for (uint32_t f = 0; files && f < files->count; f++) {
        free(files->paths[f]);
    }
    if (files) {
        free(files->paths);
    }
    free(files);
}

struct aiFileIO *slv_assimp_files_io(slv_assimp_files *files) {
    return &files->io;
}

bool slv_assimp_files_report(slv_assimp_files *files, slv_file_list *list, uint64_t *hash) {
    if (files->failed) {
        return false;
    }
    *list = (slv_file_list){files->paths, files->count};
    *hash = XXH3_64bits_digest(&files->hash);
    files->paths = NULL;
    files->count = files->capacity = 0;
    return true;
}
