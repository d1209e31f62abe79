// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/assimp_files.h"

#include "formats/named_path.h"
#include "tools/common/grow.h"
#include "tools/common/input_file.h"

#include <string.h>
#include <unistd.h>
#include <xxhash.h>

// Assimp also opens files only to test whether they exist, often more than once. Content is
// therefore mapped and recorded at the first read, not at the opening, and kept to the end.

typedef struct recorded_file {
    char *path;
    slv_input_file content;
} recorded_file;

struct slv_assimp_files {
    struct aiFileIO io;
    recorded_file *recorded;
    uint32_t count;
    uint32_t capacity;
    slv_error error; // the first failure
    const char *input;
    bool allow_paths;
    slv_error refusal; // the first file that is outside of the input's folder
};

typedef struct open_file {
    struct aiFile file; // first member: a pointer to it is a pointer to the whole
    slv_assimp_files *files;
    char *path;             // NULL after it was recorded
    slv_input_file content; // content of the recorded file
    size_t at;
} open_file;

// --- what was read -------------------------------------------------------------------------------

static const recorded_file *find_recorded(const slv_assimp_files *files, const char *path) {
    for (uint32_t f = 0; f < files->count; f++) {
        if (!strcmp(files->recorded[f].path, path)) {
            return &files->recorded[f];
        }
    }
    return NULL;
}

// Takes ownership of path; NULL where the file cannot be read.
static const recorded_file *record(slv_assimp_files *files, char *path) {
    slv_error error = {.code = SLV_OK};
    void *array = files->recorded;
    bool grown =
        slv_grow(&array, &files->capacity, (uint64_t)files->count + 1, sizeof *files->recorded);
    files->recorded = array;
    if (!grown) {
        (void)slv_no_memory(&error);
    } else {
        recorded_file *fresh = &files->recorded[files->count];
        *fresh = (recorded_file){.path = path};
        if (slv_input_file_map(path, &fresh->content, &error) == SLV_OK) {
            files->count++;
            return fresh;
        }
    }
    if (files->error.code == SLV_OK) {
        (void)slv_fail(&files->error, error.code, "%s: %s", path, error.text);
    }
    free(path);
    return NULL;
}

static bool load(open_file *file) {
    if (file->path != NULL) {
        const recorded_file *recorded = find_recorded(file->files, file->path);
        if (recorded != NULL) {
            free(file->path);
        } else {
            recorded = record(file->files, file->path);
        }
        file->path = NULL;
        file->content = recorded != NULL ? recorded->content : file->content;
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

// Offsets are unsigned; importers seek backwards by casting negative ones. The wrapping sum is
// intended.
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

// --- opening -------------------------------------------------------------------------------------

static int digit_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

// Percent-decodes in place. Invalid escapes and escapes of a zero byte are unchanged.
static void percent_decode(char *path) {
    char *to = path;
    for (const char *from = path; *from != '\0'; from++) {
        int high = *from == '%' ? digit_value(from[1]) : -1;
        int low = high >= 0 ? digit_value(from[2]) : -1;
        if (low >= 0 && high + low > 0) {
            *to++ = (char)(16 * high + low);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static bool is_allowed(slv_assimp_files *files, const char *path) {
    slv_error error = {.code = SLV_OK};
    if (files->allow_paths || strcmp(path, files->input) == 0 ||
        slv_named_path_check_links(files->input, path, &error) == SLV_OK) {
        return true;
    }
    slv_error *first = error.code == SLV_ERROR_MEMORY ? &files->error : &files->refusal;
    if (first->code == SLV_OK) {
        *first = error;
    }
    return false;
}

// The path of the file, to be freed: the name itself or, where no such file exists, the name as
// URI. NULL where neither can be read.
static char *locate(slv_assimp_files *files, const char *path) {
    char *found = strdup(path);
    if (found == NULL) {
        (void)slv_no_memory(&files->error);
    }
    if (found != NULL && access(found, F_OK) != 0) {
        percent_decode(found);
    }
    if (found != NULL &&
        (!is_allowed(files, found) || slv_input_file_check(found, NULL) != SLV_OK)) {
        free(found);
        found = NULL;
    }
    return found;
}

static struct aiFile *open_for_reading(struct aiFileIO *io, const char *path, const char *mode) {
    slv_assimp_files *files = (slv_assimp_files *)(void *)io->UserData;
    char *found = strpbrk(mode, "wa+") ? NULL : locate(files, path);
    if (found == NULL) {
        return NULL;
    }
    open_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        (void)slv_no_memory(&files->error);
        free(found);
        return NULL;
    }
    file->file = (struct aiFile){.ReadProc = read_items,
                                 .WriteProc = write_nothing,
                                 .TellProc = tell,
                                 .FileSizeProc = file_size,
                                 .SeekProc = seek,
                                 .FlushProc = flush_nothing};
    file->files = files;
    file->path = found;
    return &file->file;
}

static void close_file(struct aiFileIO *io, struct aiFile *handle) {
    (void)io;
    open_file *file = (open_file *)handle;
    free(file->path);
    free(file);
}

// --- callbacks of Assimp -------------------------------------------------------------------------

slv_assimp_files *slv_assimp_files_create(const char *input, bool allow_paths) {
    slv_assimp_files *files = calloc(1, sizeof *files);
    if (files != NULL) {
        files->io.OpenProc = open_for_reading;
        files->io.CloseProc = close_file;
        files->io.UserData = (char *)files;
        files->input = input;
        files->allow_paths = allow_paths;
    }
    return files;
}

void slv_assimp_files_destroy(slv_assimp_files *files) {
    for (uint32_t f = 0; files && f < files->count; f++) {
        slv_input_file_free(&files->recorded[f].content);
        free(files->recorded[f].path);
    }
    if (files) {
        free(files->recorded);
    }
    free(files);
}

struct aiFileIO *slv_assimp_files_io(slv_assimp_files *files) {
    return &files->io;
}

const slv_input_file *slv_assimp_files_load(slv_assimp_files *files, const char *path) {
    char *found = locate(files, path);
    const recorded_file *recorded = found != NULL ? find_recorded(files, found) : NULL;
    if (recorded != NULL) {
        free(found);
    } else if (found != NULL) {
        recorded = record(files, found);
    }
    return recorded != NULL ? &recorded->content : NULL;
}

static slv_result hash_contents(slv_assimp_files *files, uint64_t *hash) {
    XXH3_state_t *state = XXH3_createState(); // needs more alignment than malloc gives
    if (state == NULL) {
        return slv_no_memory(&files->error);
    }
    (void)XXH3_64bits_reset(state);
    for (uint32_t f = 0; f < files->count; f++) {
        const slv_input_file *content = &files->recorded[f].content;
        (void)XXH3_64bits_update(state, content->bytes, content->size);
    }
    *hash = XXH3_64bits_digest(state);
    (void)XXH3_freeState(state);
    return SLV_OK;
}

static slv_result list_paths(slv_assimp_files *files, slv_file_list *list) {
    *list = (slv_file_list){.paths = calloc((size_t)files->count + 1, sizeof *list->paths)};
    for (uint32_t f = 0; list->paths != NULL && f < files->count; f++) {
        list->paths[f] = strdup(files->recorded[f].path);
        list->count += list->paths[f] != NULL;
    }
    if (list->paths == NULL || list->count < files->count) {
        slv_file_list_free(list);
        return slv_no_memory(&files->error);
    }
    return SLV_OK;
}

slv_result slv_assimp_files_error(const slv_assimp_files *files, slv_error *error) {
    if (files->error.code != SLV_OK) {
        *error = files->error;
    }
    return files->error.code;
}

slv_result slv_assimp_files_check_name(const slv_assimp_files *files, const char *name,
                                       slv_error *error) {
    return files->allow_paths ? SLV_OK : slv_named_path_check(files->input, name, error);
}

slv_result slv_assimp_files_refusal(const slv_assimp_files *files, slv_error *error) {
    if (files->refusal.code != SLV_OK && error) {
        *error = files->refusal;
    }
    return files->refusal.code;
}

slv_result slv_assimp_files_report(slv_assimp_files *files, slv_file_list *list, uint64_t *hash,
                                   slv_error *error) {
    if (files->error.code == SLV_OK && hash_contents(files, hash) == SLV_OK) {
        (void)list_paths(files, list);
    }
    return slv_assimp_files_error(files, error);
}
