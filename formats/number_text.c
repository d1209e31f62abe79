// SPDX-License-Identifier: MIT
// A float's nine digits are the integer nearest to value * 10^k. In double that product is off by
// at most 1.2e-7 (one rounding, below 1e9; the powers are exact), so it decides the rounding except
// very close to a half, where printf decides.
#include "formats/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 9 };

size_t slv_text_of_uint(uint64_t value, char text[SLV_NUMBER_TEXT]) {
    char reversed[SLV_NUMBER_TEXT];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < length; i++) {
        text[i] = reversed[length - 1 - i];
    }
    text[length] = '\0';
    return length;
}

size_t slv_text_of_int(int64_t value, char text[SLV_NUMBER_TEXT]) {
    if (value >= 0) {
        return slv_text_of_uint((uint64_t)value, text);
    }
    text[0] = '-';
    char digits[SLV_NUMBER_TEXT];
    size_t length = slv_text_of_uint(0 - (uint64_t)value, digits);
    memcpy(text + 1, digits, length + 1);
    return length + 1;
}

static size_t print_float(float value, char text[SLV_NUMBER_TEXT]) {
    return (size_t)snprintf(text, SLV_NUMBER_TEXT, "%.9g", (double)value);
}

// The nine digits of magnitude and the power of ten of the first one; false where rounding is close.
static int nine_digits(double magnitude, char digits[DIGITS], int *exponent) {
    static const double power[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                   1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    int places = 8; // magnitude * 10^places lies in [1e8, 1e9)
    while (places > 0 && magnitude * power[places] >= 1e9) {
        places--;
    }
    while (places < 12 && magnitude * power[places] < 1e8) {
        places++;
    }
    double scaled = magnitude * power[places];
    double whole = floor(scaled);
    double rest = scaled - whole;
    if (fabs(rest - 0.5) < 1e-6) {
        return 0;
    }
    uint32_t number = (uint32_t)whole + (rest > 0.5);
    if (number >= 1000000000u) {
        return 0; // carried into a tenth digit
    }
    for (int i = DIGITS - 1; i >= 0; i--) {
        digits[i] = (char)('0' + number % 10);
        number /= 10;
    }
    *exponent = DIGITS - 1 - places;
    return 1;
}

size_t slv_text_of_float(float value, char text[SLV_NUMBER_TEXT]) {
    double magnitude = fabs((double)value);
    char digits[DIGITS];
    int exponent = 0;
    // printf's %g leaves fixed notation outside this range; zero may carry a sign.
    int plain = magnitude >= 1e-4 && magnitude < 1e9;
    if (!plain || !nine_digits(magnitude, digits, &exponent)) {
        return print_float(value, text);
    }
    size_t length = 0;
    if (value < 0.0f) {
        text[length++] = '-';
    }
    int last = DIGITS - 1;
    while (last > 0 && digits[last] == '0') {
        last--;
    }
    if (exponent < 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = -1; i > exponent; i--) {
            text[length++] = '0';
        }
    }
    for (int i = 0; i <= last || i <= exponent; i++) {
        text[length++] = digits[i];
        if (i == exponent && i < last) {
            text[length++] = '.';
        }
    }
    text[length] = '\0';
    return length;
}

size_t slv_text_of_double(double value, char text[SLV_NUMBER_TEXT]) {
    int length = snprintf(text, SLV_NUMBER_TEXT, "%.15g", value);
    if (strtod(text, NULL) != value) {
        length = snprintf(text, SLV_NUMBER_TEXT, "%.17g", value);
    }
    return (size_t)length;
}

size_t slv_text_of_hash(uint64_t value, char text[SLV_NUMBER_TEXT]) {
    return (size_t)snprintf(text, SLV_NUMBER_TEXT, "%016" PRIx64, value);
}

const char *slv_text_of_limit(double value, char text[SLV_NUMBER_TEXT]) {
    const double size = value < 0 ? -value : value;
    (void)snprintf(text, SLV_NUMBER_TEXT, "%.10g", value);
    if (size > 0 && (size >= 1e5 || size < 1e-3)) {
        char exact[SLV_NUMBER_TEXT];
        (void)snprintf(exact, sizeof exact, "%.0e", value); // 1e+06
        if (strtod(exact, NULL) == value) {
            const char *exponent = strchr(exact, 'e');
            (void)snprintf(text, SLV_NUMBER_TEXT, "%.*se%d", (int)(exponent - exact), exact,
                           (int)strtol(exponent + 1, NULL, 10));
        }
    }
    return text;
}
