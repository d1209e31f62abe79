// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_schedule.h"

// --- Playing ----------------------------------------------------------------------------------------

slv_schedule_cursor slv_schedule_begin(const slv_schedule *schedule,
                                       const slv_schedule_list *list) {
    const slv_schedule_entry *first = schedule->entries + list->first;
    return (slv_schedule_cursor){.next = first, .end = first + list->count};
}

const slv_schedule_entry *slv_schedule_next(slv_schedule_cursor *cursor) {
    while (cursor->next < cursor->end) {
        const slv_schedule_entry *entry = cursor->next++;
        if (entry->kind == SLV_ENTRY_LAUNCH || entry->kind == SLV_ENTRY_GROUP) {
            return entry;
        }
        if (entry->kind == SLV_ENTRY_LOOP_BEGIN) {
            cursor->left[cursor->depth++] = entry->number;
        } else if (--cursor->left[cursor->depth - 1] > 0) {
            cursor->next -= entry->length + 1;
        } else {
            cursor->depth--;
        }
    }
    return NULL;
}

// --- Lists of a group -------------------------------------------------------------------------------

// A list while it is written: loops of the plan that it has begun. Loops without launches of the list are left out.
typedef struct draft {
    uint32_t first, count;
    uint32_t depth;
    uint32_t loops[SLV_LOOP_DEPTH];  // entries of the plan with which they begin
    uint32_t begins[SLV_LOOP_DEPTH]; // entries of the list
    int last;                        // the latest launch; -1: none
} draft;

// Loops of the plan around the present entry.
typedef struct nesting {
    uint32_t depth;
    uint32_t loops[SLV_LOOP_DEPTH];
} nesting;

// Written twice: first only counted, with entries NULL.
typedef struct builder {
    const slv_layout *layout;
    const slv_plan *plan;
    slv_schedule *schedule;
    draft *drafts;     // [body_count + 1], the last that of all large bodies
    uint32_t *touched; // [body_count + 1]: drafts of the present group
    uint32_t touched_count;
} builder;

static void append(builder *self, draft *list, slv_schedule_entry entry) {
    if (self->schedule->entries) {
        self->schedule->entries[list->first + list->count] = entry;
    }
    list->count++;
}

// Ends loops of a list that the plan has ended.
static void close_loops(builder *self, draft *list, const nesting *around) {
    while (list->depth > 0 && (list->depth > around->depth ||
                               list->loops[list->depth - 1] != around->loops[list->depth - 1])) {
        const uint32_t begin = list->begins[--list->depth];
        append(self, list,
               (slv_schedule_entry){.kind = SLV_ENTRY_LOOP_END, .length = list->count - begin - 1});
    }
}

static void open_loops(builder *self, draft *list, const nesting *around) {
    for (; list->depth < around->depth; list->depth++) {
        const uint32_t loop = around->loops[list->depth];
        list->loops[list->depth] = loop;
        list->begins[list->depth] = list->count;
        append(self, list,
               (slv_schedule_entry){.kind = SLV_ENTRY_LOOP_BEGIN,
                                    .number = self->plan->entries[loop].rounds});
    }
}

static int find_stage(const slv_plan *plan, uint32_t entry) {
    int stage = 0;
    while (plan->stages[stage + 1] <= entry) {
        stage++;
    }
    return stage;
}

static slv_schedule_entry make_launch(const slv_plan *plan, uint32_t entry) {
    const slv_plan_launch *launch = &plan->entries[entry].launch;
    return (slv_schedule_entry){.kind = SLV_ENTRY_LAUNCH,
                                .launch = launch,
                                .stage = find_stage(plan, entry),
                                .barrier = launch->barrier};
}

// The draft that a launch goes to.
static uint32_t find_draft(const builder *self, const slv_plan_launch *launch) {
    return self->schedule->division.shared_number[launch->body] < 0 ? (uint32_t)launch->body
                                                                    : self->layout->body_count;
}

static void add_launch(builder *self, uint32_t entry, const nesting *around) {
    const slv_schedule_entry launch = make_launch(self->plan, entry);
    const uint32_t number = find_draft(self, launch.launch);
    draft *list = &self->drafts[number];
    if (list->last < 0) {
        self->touched[self->touched_count++] = number;
    }
    close_loops(self, list, around);
    open_loops(self, list, around);
    list->last = (int)list->count;
    append(self, list, launch);
    // The barrier behind the launch of a small garment stands for large ones too.
    draft *team = &self->drafts[self->layout->body_count];
    if (launch.barrier && self->schedule->entries && team->last >= 0) {
        self->schedule->entries[team->first + (uint32_t)team->last].barrier = true;
    }
}

// Writes the entries first … end - 1 of the plan into the lists of their bodies.
static void add_entries(builder *self, uint32_t first, uint32_t end) {
    nesting around = {.depth = 0};
    for (uint32_t i = first; i < end; i++) {
        if (self->plan->entries[i].kind == SLV_ENTRY_LOOP_BEGIN) {
            around.loops[around.depth++] = i;
        } else if (self->plan->entries[i].kind == SLV_ENTRY_LOOP_END) {
            around.depth--;
        } else {
            add_launch(self, i, &around);
        }
    }
    for (uint32_t n = 0; n < self->touched_count; n++) {
        close_loops(self, &self->drafts[self->touched[n]], &around);
    }
}

// Begins the lists of the present group anew. Each begins where the one before ends, if lengths are known.
static void reset_drafts(builder *self, bool has_lengths) {
    uint32_t at = self->schedule->entry_count;
    for (uint32_t n = 0; n < self->touched_count; n++) {
        draft *list = &self->drafts[self->touched[n]];
        const uint32_t length = has_lengths ? list->count : 0;
        *list = (draft){.first = at, .last = -1};
        at += length;
    }
    self->touched_count = 0;
}

// Takes the lists of the present group over into the schedule.
static void keep_lists(builder *self, slv_schedule_group *group) {
    slv_schedule *schedule = self->schedule;
    *group = (slv_schedule_group){.first_list = schedule->list_count};
    for (uint32_t n = 0; n < self->touched_count; n++) {
        const uint32_t number = self->touched[n];
        const draft *list = &self->drafts[number];
        const slv_schedule_list kept = {list->first, list->count, (int)number};
        schedule->entry_count += list->count;
        if (number == self->layout->body_count) {
            group->team = kept;
            continue;
        }
        if (schedule->lists) {
            schedule->lists[schedule->list_count] = kept;
        }
        schedule->list_count++;
        group->list_count++;
    }
}

static void add_group_lists(builder *self, uint32_t first, uint32_t end) {
    slv_schedule *schedule = self->schedule;
    slv_schedule_group group;
    slv_schedule_entry *entries = schedule->entries;
    schedule->entries = NULL;
    add_entries(self, first, end); // counts
    schedule->entries = entries;
    if (entries) {
        reset_drafts(self, true);
        add_entries(self, first, end);
    }
    keep_lists(self, &group);
    reset_drafts(self, false);
    if (schedule->groups) {
        schedule->groups[schedule->group_count] = group;
    }
    schedule->group_count++;
}

// --- Sequences -------------------------------------------------------------------------------------------

// Writes a sequence. Its own entries lie behind those of all groups.
typedef struct sequence_writer {
    builder *builder;
    slv_schedule_entry *entries; // NULL: only counts
    uint32_t count;
} sequence_writer;

static void write_entry(sequence_writer *writer, slv_schedule_entry entry) {
    if (writer->entries) {
        writer->entries[writer->count] = entry;
    }
    writer->count++;
}

// Behind the last entry of the loop that begins at `entry`, or behind a launch.
static uint32_t find_end(const slv_plan *plan, uint32_t entry) {
    uint32_t depth = 0;
    do {
        depth += plan->entries[entry].kind == SLV_ENTRY_LOOP_BEGIN;
        depth -= plan->entries[entry].kind == SLV_ENTRY_LOOP_END;
        entry++;
    } while (depth > 0);
    return entry;
}

static bool has_common_launch(const builder *self, uint32_t first, uint32_t end) {
    bool meets = false;
    for (uint32_t i = first; i < end && !meets; i++) {
        const slv_plan_entry *entry = &self->plan->entries[i];
        meets = entry->kind == SLV_ENTRY_LAUNCH &&
                (uint32_t)entry->launch.body >= self->layout->body_count;
    }
    return meets;
}

static void write_group(sequence_writer *writer, uint32_t first, uint32_t end) {
    if (first == end) {
        return;
    }
    write_entry(writer, (slv_schedule_entry){.kind = SLV_ENTRY_GROUP,
                                             .number = writer->builder->schedule->group_count});
    add_group_lists(writer->builder, first, end);
}

// Writes the entries first … end - 1 of the plan: common launches, loops around them, and groups in between.
static void write_sequence(sequence_writer *writer, uint32_t first, uint32_t end) {
    builder *self = writer->builder;
    uint32_t group = first;
    for (uint32_t i = first, next; i < end; i = next) {
        const slv_plan_entry *entry = &self->plan->entries[i];
        next = find_end(self->plan, i);
        if (!has_common_launch(self, i, next)) {
            continue;
        }
        write_group(writer, group, i);
        group = next;
        if (entry->kind == SLV_ENTRY_LAUNCH) {
            write_entry(writer, make_launch(self->plan, i));
            continue;
        }
        const uint32_t begin = writer->count;
        write_entry(writer,
                    (slv_schedule_entry){.kind = SLV_ENTRY_LOOP_BEGIN, .number = entry->rounds});
        write_sequence(writer, i + 1,
                       next - 1); // NOLINT(misc-no-recursion): at most SLV_LOOP_DEPTH deep
        write_entry(writer, (slv_schedule_entry){.kind = SLV_ENTRY_LOOP_END,
                                                 .length = writer->count - begin - 1});
    }
    write_group(writer, group, end);
}

// Both the entries of sequences and those of groups. Returns the number of the former.
static uint32_t write_sequences(builder *self, slv_schedule_entry *entries) {
    static const slv_stage begins[SLV_SEQUENCE_COUNT + 1] = {SLV_STAGE_WAKE, SLV_STAGE_SLEEP,
                                                             SLV_STAGE_ROLLBACK, SLV_STAGE_COUNT};
    slv_schedule *schedule = self->schedule;
    sequence_writer writer = {.builder = self, .entries = entries};
    schedule->entry_count = schedule->group_count = schedule->list_count = 0;
    for (int sequence = 0; sequence < SLV_SEQUENCE_COUNT; sequence++) {
        const uint32_t first = writer.count;
        write_sequence(&writer, self->plan->stages[begins[sequence]],
                       self->plan->stages[begins[sequence + 1]]);
        schedule->sequences[sequence] =
            (slv_schedule_list){.first = first, .count = writer.count - first};
    }
    return writer.count;
}

static bool build(builder *self) {
    slv_schedule *schedule = self->schedule;
    const uint32_t own = write_sequences(self, NULL);
    const uint32_t in_groups = schedule->entry_count;
    slv_schedule_entry *entries =
        slv_memory_take(&schedule->memory, (size_t)in_groups + own, sizeof *entries);
    schedule->groups =
        slv_memory_take(&schedule->memory, schedule->group_count, sizeof *schedule->groups);
    schedule->lists =
        slv_memory_take(&schedule->memory, schedule->list_count, sizeof *schedule->lists);
    schedule->entries = entries;
    if (!entries || !schedule->groups || !schedule->lists) {
        return false;
    }
    (void)write_sequences(self, entries + in_groups);
    for (int sequence = 0; sequence < SLV_SEQUENCE_COUNT; sequence++) {
        schedule->sequences[sequence].first += in_groups;
    }
    return true;
}

bool slv_schedule_create(slv_schedule *schedule, const slv_layout *layout, const slv_plan *plan,
                         uint32_t team_size, const slv_schedule_costs *costs,
                         slv_allocator allocator) {
    *schedule = (slv_schedule){.memory = {.allocator = allocator}};
    slv_memory scratch = {.allocator = allocator};
    const size_t count = (size_t)layout->body_count + 1;
    builder self = {.layout = layout, .plan = plan, .schedule = schedule};
    self.drafts = slv_memory_take(&scratch, count, sizeof *self.drafts);
    self.touched = slv_memory_take(&scratch, count, sizeof *self.touched);
    bool done = self.drafts && self.touched &&
                slv_divide(&schedule->division, layout, plan, team_size, costs, &schedule->memory);
    for (size_t i = 0; done && i < count; i++) {
        self.drafts[i].last = -1;
    }
    done = done && build(&self);
    slv_memory_release(&scratch);
    if (!done) {
        slv_schedule_destroy(schedule);
    }
    return done;
}

void slv_schedule_destroy(slv_schedule *schedule) {
    slv_memory memory = schedule->memory;
    slv_memory_release(&memory);
    *schedule = (slv_schedule){.memory = {.allocator = memory.allocator}};
}
