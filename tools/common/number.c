// SPDX-License-Identifier: MIT
#include "tools/common/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The text is an integer times a power of ten. Where the integer is below 2^53 and the power at
// most 10^22, both are exact doubles and one operation rounds correctly. Other numbers are written
// without a decimal point, which depends on the locale, and given to strtod.

// Digits that can influence the rounding of a double: at most 767, and one for all that follow.
#define MAX_DIGITS 768

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct decimal {
    bool negative;
    uint64_t integer;   // the digits, exact while there are at most 19
    int digit_count;    // significant digits, leading zeros not counted
    int64_t exponent;   // value = integer * 10^exponent
    const char *digits; // the first significant digit, for strtod
    const char *end;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void scan_digit(decimal *number, const char *at) {
    if (number->digit_count == 0) {
        if (*at == '0') {
            return;
        }
        number->digits = at;
    }
    if (number->digit_count < 19) {
        number->integer = number->integer * 10 + (uint64_t)(*at - '0');
    }
    if (number->digit_count < INT32_MAX) {
        number->digit_count++;
    }
}

// Returns the character after the exponent, or text itself where none follows.
static const char *scan_exponent(decimal *number, const char *text) {
    if (*text != 'e' && *text != 'E') {
        return text;
    }
    const char *at = text + 1;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') {
        at++;
    }
    if (!is_digit(*at)) {
        return text;
    }
    int64_t exponent = 0;
    for (; is_digit(*at); at++) {
        if (exponent < INT32_MAX) { // further digits cannot change the result
            exponent = exponent * 10 + (*at - '0');
        }
    }
    number->exponent += negative ? -exponent : exponent;
    return at;
}

static bool scan(const char *text, decimal *number) {
    *number = (decimal){.negative = *text == '-'};
    const char *at = text + (*text == '-' || *text == '+' ? 1 : 0);
    const char *first = at;
    for (; is_digit(*at); at++) {
        scan_digit(number, at);
    }
    bool any = at > first;
    if (*at == '.') {
        const char *point = at++;
        for (; is_digit(*at); at++) {
            scan_digit(number, at);
        }
        number->exponent = point + 1 - at;
        any = any || at > point + 1;
    }
    number->end = any ? scan_exponent(number, at) : NULL;
    return any;
}

static double convert_exactly(const decimal *number) {
    char text[MAX_DIGITS + 32];
    int length = 0;
    const char *at = number->digits;
    for (int left = number->digit_count; left > 0; at++) {
        if (!is_digit(*at)) { // the decimal point
            continue;
        }
        left--;
        if (length < MAX_DIGITS - 1) {
            text[length++] = *at;
        } else if (*at != '0') { // one more digit represents all that follow
            text[length++] = '1';
            break;
        }
    }
    int64_t exponent = number->exponent + number->digit_count - length;
    if (exponent > 100000 || exponent < -100000) { // out of range for any digits
        return exponent > 0 ? HUGE_VAL : 0.0;
    }
    (void)snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
    return strtod(text, NULL);
}

static double convert(const decimal *number) {
    if (number->digit_count == 0) {
        return 0.0;
    }
    if (number->digit_count <= 19 && number->integer <= (UINT64_C(1) << 53)) {
        if (number->exponent >= 0 && number->exponent <= 22) {
            return (double)number->integer * powers_of_ten[number->exponent];
        }
        if (number->exponent < 0 && number->exponent >= -22) {
            return (double)number->integer / powers_of_ten[-number->exponent];
        }
    }
    return convert_exactly(number);
}

const char *slv_parse_number(const char *text, double *value) {
    decimal number;
    if (!scan(text, &number)) {
        return NULL;
    }
    double magnitude = convert(&number);
    if (magnitude > DBL_MAX) {
        return NULL;
    }
    *value = number.negative ? -magnitude : magnitude;
    return number.end;
}

bool slv_parse_whole_number(const char *text, double *value) {
    const char *end = slv_parse_number(text, value);
    return end != NULL && *end == '\0';
}
