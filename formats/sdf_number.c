// SPDX-License-Identifier: MIT
#include "formats/field.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// printf("%g\n") without printf. A float has 24 bits and 10^k for k <= 12 needs 28 (5^12), so their
// product is exact in a double and rint() rounds it to six digits just as printf does, ties included.
// Other powers are rounded, with an error below 1e-9 of a last digit: when the result is that
// close to a tie, or the value is not finite, printf is used. Programs that use this stay
// in the "C" locale.

enum {
    DIGITS = 6,       // what %g keeps
    EXACT_POWER = 12, // largest k whose product is exact
    POWER_MIN = -33,  // 10^k that brings the largest float down to six digits …
    POWER_MAX = 50,   // … and the smallest up to them
    TEXT_MAX = 14     // "-1.17549e-38\n" has 13
};

static const double tie_margin = 1e-6;

static const double powers[POWER_MAX - POWER_MIN + 1] = {
    1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22,
    1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10,
    1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,
    1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,
    1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,  1e22,  1e23,  1e24,  1e25,  1e26,
    1e27,  1e28,  1e29,  1e30,  1e31,  1e32,  1e33,  1e34,  1e35,  1e36,  1e37,  1e38,
    1e39,  1e40,  1e41,  1e42,  1e43,  1e44,  1e45,  1e46,  1e47,  1e48,  1e49,  1e50,
};

// value = digits * 10^(exponent - 5), digits of six places.
typedef struct decimal {
    uint32_t digits;
    int exponent;
} decimal;

// False where printf must decide. value is finite and above zero.
static bool to_decimal(double value, decimal *result) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    int binary = (int)(bits >> 52) - 1023;  // every float is a normal double
    int exponent = (binary * 315653) >> 20; // of 2^binary, by log10(2): right, or one too low
    int power = DIGITS - 1 - exponent;
    double scaled = value * powers[power - POWER_MIN];
    bool exact = power >= 0 && power <= EXACT_POWER;
    if (!exact && fabs(scaled - 999999.5) < tie_margin) {
        return false;
    }
    if (scaled >= 999999.5) { // it was too low
        power--;
        scaled = value * powers[power - POWER_MIN];
        exact = power >= 0 && power <= EXACT_POWER;
    }
    double rounded = rint(scaled);
    if (!exact && fabs(fabs(scaled - rounded) - 0.5) < tie_margin) {
        return false;
    }
    result->digits = (uint32_t)rounded;
    result->exponent = DIGITS - 1 - power;
    return true;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

static const char leading_zeros[5] = {'0', '.', '0', '0', '0'};

// Six characters in the low bytes of a word, the first in the lowest: on a little-endian machine (packs
// have no other) the word's bytes are the text. Digits stay in a register until their positions are known.
typedef struct digit_text {
    uint64_t word;
    unsigned kept; // how many are left without trailing zeros, at least one
} digit_text;

static inline uint64_t digit_pair(uint32_t pair) {
    uint16_t characters;
    memcpy(&characters, digit_pairs + 2 * (size_t)pair, sizeof characters);
    return characters;
}

static inline digit_text to_text(uint32_t digits) {
    uint32_t low = digits % 10000;
    uint64_t word =
        digit_pair(digits / 10000) | digit_pair(low / 100) << 16 | digit_pair(low % 100) << 32;
    uint64_t values = word ^ UINT64_C(0x303030303030); // not zero: the first digit never is
    return (digit_text){word, (unsigned)(63 - __builtin_clzll(values)) / 8 + 1};
}

// Writes eight bytes, of which the text's own come first; the next text overwrites the others.
static inline void put_word(char *text, uint64_t word) {
    memcpy(text, &word, sizeof word);
}

// "1.5e-05", from digits "15".
static char *write_scientific(digit_text digits, int exponent, char *text) {
    put_word(text, digits.word);
    if (digits.kept > 1) {
        text[1] = '.';
        put_word(text + 2, digits.word >> 8);
        text += digits.kept;
    }
    text++;
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    *text++ = (char)('0' + size / 10);
    *text++ = (char)('0' + size % 10);
    return text;
}

// "0.0015", "15", "1500" or "1.5".
static inline char *write_fixed(digit_text digits, int exponent, char *text) {
    if (exponent < 0) {
        unsigned zeros = (unsigned)-exponent - 1;
        memcpy(text, leading_zeros, sizeof leading_zeros);
        put_word(text + 2 + zeros, digits.word);
        return text + 2 + zeros + digits.kept;
    }
    unsigned whole = (unsigned)exponent + 1;
    put_word(text, digits.word);
    if (digits.kept <= whole) {
        return text + whole;
    }
    text[whole] = '.';
    put_word(text + whole + 1, digits.word >> (8 * whole));
    return text + digits.kept + 1;
}

static char *write_value(float value, char *text) {
    decimal number = {0, 0};
    double size = fabs((double)value);
    if (!isfinite(size) || (size > 0 && !to_decimal(size, &number))) {
        return text + sprintf(text, "%g", (double)value);
    }
    if (signbit(value)) {
        *text++ = '-';
    }
    if (size == 0) {
        *text++ = '0';
        return text;
    }
    digit_text digits = to_text(number.digits);
    return number.exponent < -4 || number.exponent >= DIGITS
               ? write_scientific(digits, number.exponent, text)
               : write_fixed(digits, number.exponent, text);
}

size_t slv_sdf_get_text_bound(size_t count) {
    return count * TEXT_MAX + TEXT_MAX; // the last value, too, is written in whole words
}

size_t slv_sdf_format_values(const float *values, size_t count, char *text) {
    char *next = text;
    for (size_t i = 0; i < count; i++) {
        next = write_value(values[i], next);
        *next++ = '\n';
    }
    return (size_t)(next - text);
}
