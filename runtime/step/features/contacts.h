// SPDX-License-Identifier: MIT
// Contacts in a layout (runtime/step/features/contacts.c).
#ifndef SLV_RUNTIME_STEP_FEATURES_CONTACTS_H
#define SLV_RUNTIME_STEP_FEATURES_CONTACTS_H

#include "runtime/step/plan.h"
#include "runtime/step/step_settings.h"

typedef struct slv_contact_layout {
    slv_contact_settings settings; // those that it was made with
    bool colliders, pairs;         // whether there is anything of the kind
    bool surfaces;                 // some body has contacts between triangles
    bool bounces;                  // something has restitution
    int block;                     // in table (kernels/collider.h)
    slv_layout_cursor start;       // where contacts begin
    slv_extent records, fields;    // in state
    slv_extent kinds;              // in table
    size_t gap_count;              // floats beside the lists of contacts between particles
} slv_contact_layout;

slv_contact_layout *slv_contacts_get_layout(const slv_layout *layout);

// Of a garment.
typedef struct slv_contact_material {
    float thickness;         // metres kept from colliders
    float push_out_speed;    // m/s at which particles leave colliders that they start a step in
    float radius;            // metres, of its particles against particles
    float friction, kinetic; // static, and when sliding
    float restitution;
    float rest_speed; // m/s below which motion dies away
    bool with_colliders, with_itself, with_garments;
    bool has_surface; // contacts with itself and with garments are between triangles
} slv_contact_material;

const slv_contact_material *slv_contacts_get_material(const slv_body *body);

// Whether its particles collide with particles, of others or its own.
bool slv_contacts_include_particles(const slv_body *body);
// Whether its triangles do.
bool slv_contacts_include_surfaces(const slv_body *body);

// Moves particles of all bodies out of colliders, without friction.
void slv_contacts_push_out(slv_plan_writer *writer);

// Whether there is anything to touch, and whether a body can touch it.
bool slv_contacts_exist(const slv_layout *layout);
bool slv_contacts_concern(const slv_layout *layout, const slv_body *body);

#endif
