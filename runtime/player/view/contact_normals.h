// SPDX-License-Identifier: MIT
// Draws the normal of every contact as a short segment.
#ifndef SLV_PLAYER_CONTACT_NORMALS_H
#define SLV_PLAYER_CONTACT_NORMALS_H

#include "runtime/player/view/cloth_view.h"

typedef struct slv_contact_normals {
    GLuint buffer, array;
    GLuint rest_buffer, rest_texture; // dummy rest length that the segment shader reads
    GLsizei points;
} slv_contact_normals;

void slv_contact_normals_make(slv_contact_normals *view);
void slv_contact_normals_free(slv_contact_normals *view);
void slv_contact_normals_update(slv_contact_normals *view, const slv_contact_point *contacts,
                                uint32_t count);
void slv_contact_normals_draw(const slv_contact_normals *view, slv_cloth_programs *programs,
                              const slv_pass *pass);

#endif
