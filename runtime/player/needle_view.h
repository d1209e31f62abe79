// SPDX-License-Identifier: MIT
// Contact normals: a needle wherever cloth touches something.
#ifndef SLV_PLAYER_NEEDLE_VIEW_H
#define SLV_PLAYER_NEEDLE_VIEW_H

#include "runtime/player/cloth_view.h"

typedef struct slv_needle_view {
    GLuint buffer, array;
    GLuint rest_buffer, rest_texture; // of no strand: the shader asks for it
    GLsizei points;
} slv_needle_view;

void slv_needle_view_make(slv_needle_view *view);
void slv_needle_view_free(slv_needle_view *view);
void slv_needle_view_update(slv_needle_view *view, const slv_contact_point *touches,
                            uint32_t count);
void slv_needle_view_draw(const slv_needle_view *view, slv_cloth_programs *programs,
                          const slv_pass *pass);

#endif
