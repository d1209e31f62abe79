// SPDX-License-Identifier: MIT
#include "runtime/world/collider_list.h"

#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"

#include <string.h>

static void write_entry(const slv_collider_entry *entry, uint32_t index, slv_layout *layout) {
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    float *record = layout->state + contact->records.first + (size_t)index * SLV_COLLIDER_FLOATS;
    memcpy(record, entry->record, sizeof entry->record);
    const size_t lanes = (contact->fields.first + entry->first_sample) / SLV_LANES;
    record[SLV_COLLIDER_SAMPLES + 7] = (float)lanes;
    record[SLV_COLLIDER_STILL] = 0.0f; // what is written here may be new
    layout->table[contact->kinds.first + index] = entry->kind;
    contact->bounces = contact->bounces ||
                       (entry->kind != SLV_SHAPE_NONE && record[SLV_COLLIDER_RESTITUTION] > 0.0f);
}

void slv_colliders_write_one(const slv_collider_list *list, const slv_collider_entry *entry,
                             slv_layout *layout) {
    if (slv_contacts_get_layout(layout)->colliders) {
        write_entry(entry, (uint32_t)(entry - list->entries), layout);
        layout->extents[slv_layout_common_body(layout)].written |= 1u << SLV_ASPECT_contacts;
    }
}

void slv_colliders_write(const slv_collider_list *list, slv_layout *layout) {
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    if (!contact->colliders) {
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        write_entry(&list->entries[i], i, layout);
    }
    for (uint32_t i = list->count; i < contact->settings.collider_room; i++) {
        layout->table[contact->kinds.first + i] = SLV_SHAPE_NONE;
    }
    if (list->sample_count > 0) {
        memcpy(layout->state + contact->fields.first, list->samples,
               list->sample_count * sizeof *list->samples);
    }
    layout->extents[slv_layout_common_body(layout)].written |=
        1u << SLV_ASPECT_contacts | 1u << SLV_ASPECT_fields;
}

void slv_colliders_read(slv_collider_list *list, const slv_layout *layout) {
    const slv_contact_layout *contact = slv_contacts_get_layout(layout);
    for (uint32_t i = 0; contact->colliders && i < list->count; i++) {
        const float *record =
            layout->state + contact->records.first + (size_t)i * SLV_COLLIDER_FLOATS;
        float *kept = list->entries[i].record;
        const float *pose = record + SLV_COLLIDER_POSE + 8 * layout->parity;
        for (int parity = 0; parity < 2; parity++) {
            memcpy(kept + SLV_COLLIDER_POSE + 8 * parity, pose, 8 * sizeof *pose);
            kept[SLV_COLLIDER_DONE + parity] = record[SLV_COLLIDER_DONE + layout->parity];
        }
    }
}

void slv_colliders_reset(slv_collider_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        memcpy(list->entries[i].record, list->entries[i].start, sizeof list->entries[i].record);
    }
}
