// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"
#include "formats/value_check.h"

// CCLU: clusters of particles that keep a common shape.

static slv_result check_ends(const slv_clusters *clusters, slv_error *error) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < clusters->count; i++) {
        const uint32_t end = clusters->end[i];
        if (end <= before || end > clusters->member_count) {
            return slv_fail_section(
                error, SLV_SECTION_CLUSTER,
                "cluster %u ends at member %u: ends must ascend from above 0 up to %u", i, end,
                clusters->member_count);
        }
        before = end;
    }
    return before == clusters->member_count
               ? SLV_OK
               : slv_fail_section(error, SLV_SECTION_CLUSTER, "clusters cover %u of %u members",
                                  before, clusters->member_count);
}

static slv_result check_members(const slv_clusters *clusters, uint32_t n, slv_error *error) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < clusters->count; i++) {
        for (uint32_t m = first; m < clusters->end[i]; m++) {
            const uint32_t member = clusters->member[m];
            if (member >= n || (m > first && member <= clusters->member[m - 1])) {
                return slv_fail_section(error, SLV_SECTION_CLUSTER,
                                        "cluster %u has stored particle %u: numbers must ascend "
                                        "within a cluster and stay below %u",
                                        i, member, n);
            }
        }
        first = clusters->end[i];
    }
    return SLV_OK;
}

slv_result slv_verify_clusters(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_clusters *clusters = &garment->clusters;
    size_t size = 0;
    const slv_clusters_info *info = slv_pack_get_section(pack, SLV_SECTION_CLUSTER, &size);
    if (!info) {
        return SLV_OK;
    }
    if (size < sizeof *info || info->cluster_count == 0 ||
        size != sizeof *info + 4 * ((uint64_t)info->cluster_count + info->member_count)) {
        return slv_fail_section(
            error, SLV_SECTION_CLUSTER,
            "%zu bytes, should be 16 and 4 for each cluster, of which there is one at least, and for "
            "each member",
            size);
    }
    if (!slv_all_zero(info->zero, sizeof info->zero)) {
        return slv_fail_section(error, SLV_SECTION_CLUSTER, "reserved bytes are not zero");
    }
    const uint32_t *numbers = (const uint32_t *)(const void *)(info + 1);
    *clusters = (slv_clusters){info->cluster_count, info->member_count, numbers,
                               numbers + info->cluster_count};
    const slv_result result = check_ends(clusters, error);
    return result == SLV_OK ? check_members(clusters, garment->info.particle_count, error) : result;
}
