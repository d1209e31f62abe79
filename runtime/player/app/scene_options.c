// SPDX-License-Identifier: MIT
#include "runtime/player/app/scene_options.h"

// The parameter of an option, index 0, 1, … in the order of the tables. False after the last.
static bool find_option(size_t index, slv_parameter_info *info) {
    for (int group = 0; group < SLV_GROUP_COUNT; group++) {
        for (uint32_t i = 0; slv_get_parameter_info((slv_parameter_group)group, i, info); i++) {
            if (info->option && index-- == 0) {
                return true;
            }
        }
    }
    return false;
}

static slv_option_type type_of(const slv_parameter_info *info) {
    switch (info->type) {
    case SLV_TYPE_BOOL:
        return SLV_OPTION_FLAG;
    case SLV_TYPE_ENUM:
        return SLV_OPTION_CHOICE;
    case SLV_TYPE_UINT32:
        return SLV_OPTION_COUNT;
    case SLV_TYPE_FLOAT:
    case SLV_TYPE_DOUBLE:
        break;
    }
    return SLV_OPTION_NUMBER;
}

size_t slv_override_rows(slv_play_overrides *overrides, slv_override_help *help, slv_option *rows) {
    slv_parameter_info info;
    size_t i = 0;
    for (; i < SLV_MAX_OVERRIDES && find_option(i, &info); i++) {
        slv_describe_parameter(&info, help->texts[i], sizeof help->texts[i]);
        rows[i] = (slv_option){.type = type_of(&info),
                               .name = info.option,
                               .argument = info.argument,
                               .help = info.option_doc ? info.option_doc : help->texts[i],
                               .value = &overrides->items[i].value,
                               .given = &overrides->items[i].given,
                               .min = info.min,
                               .max = info.max,
                               .choices = info.choices};
    }
    return i;
}

static double number_of(const slv_override *item, const slv_parameter_info *info) {
    switch (type_of(info)) {
    case SLV_OPTION_FLAG:
        return 1.0 - info->initial[0];
    case SLV_OPTION_CHOICE:
        return info->min + item->value.choice;
    case SLV_OPTION_COUNT:
        return (double)item->value.count;
    default:
        return item->value.number;
    }
}

// The struct of a group. NULL: no option overrides such a struct.
static void *record_of(slv_parameter_group group, slv_world_def *def,
                       slv_scene_settings *settings) {
    switch (group) {
    case SLV_GROUP_PARAMETERS:
        return &def->parameters;
    case SLV_GROUP_WORLD:
        return def;
    case SLV_GROUP_SCENE:
        return settings;
    default:
        return NULL;
    }
}

void slv_override_values(const slv_play_overrides *overrides, slv_world_def *def,
                         uint32_t *steps_per_frame) {
    slv_scene_settings settings = {.steps_per_frame = *steps_per_frame};
    slv_parameter_info info;
    for (size_t i = 0; i < SLV_MAX_OVERRIDES && find_option(i, &info); i++) {
        const slv_override *item = &overrides->items[i];
        if (item->given) { // the option had the range of the parameter
            (void)slv_set_parameter_values(&info, record_of(info.group, def, &settings),
                                           (double[4]){number_of(item, &info)});
        }
    }
    *steps_per_frame = settings.steps_per_frame;
}
