// SPDX-License-Identifier: MIT
#include "runtime/backends/gpu/keyed_hash.h"

enum { ROUNDS_PER_WORD = 2, FINAL_ROUNDS = 4 };

static uint64_t rotate_left(uint64_t word, unsigned bits) {
    return word << bits | word >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds) {
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate_left(v[1], 13) ^ v[0];
        v[3] = rotate_left(v[3], 16) ^ v[2];
        v[0] = rotate_left(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate_left(v[1], 17) ^ v[2];
        v[3] = rotate_left(v[3], 21) ^ v[0];
        v[2] = rotate_left(v[2], 32);
    }
}

// Up to eight bytes, the lowest first.
static uint64_t read_word(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

static void absorb(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    mix(v, ROUNDS_PER_WORD);
    v[0] ^= word;
}

uint64_t slv_keyed_hash(slv_hash_key key, const void *bytes, size_t size) {
    // The constants are the text "somepseudorandomlygeneratedbytes".
    uint64_t v[4] = {key.words[0] ^ 0x736f6d6570736575U, key.words[1] ^ 0x646f72616e646f6dU,
                     key.words[0] ^ 0x6c7967656e657261U, key.words[1] ^ 0x7465646279746573U};
    const unsigned char *at = bytes;
    for (size_t left = size; left >= 8; left -= 8, at += 8) {
        absorb(v, read_word(at, 8));
    }
    absorb(v, read_word(at, size % 8) | (uint64_t)size << 56);
    v[2] ^= 0xff;
    mix(v, FINAL_ROUNDS);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
