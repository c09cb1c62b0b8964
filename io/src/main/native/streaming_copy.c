/*
 * Copies memory with non-temporal stores: the target goes to memory past the caches, so that a copy
 * which nobody reads soon does not push out what others work on.
 *
 *   x86-64   MOVNTDQ of 16, 32 or 64 bytes (SSE2, AVX2, AVX-512), then SFENCE, since such stores are
 *            ordered with nothing else. Intel SDM vol. 1, 10.4.6.2; Optimization Manual, 9.4.
 *   aarch64  STNP, a pair of 16-byte registers. No DC ZVA: a cache line is never zeroed first, so that
 *            memory of any type and any block size will do. Arm ARM, C3.2.4. Such stores are ordered as
 *            all others are there, so there is no fence.
 *
 * There is no state, nothing is allocated, and nothing but memcpy is called. The source is loaded in
 * the ordinary way: it is likely to be in the cache already. Ranges must not overlap.
 */
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

/* Declared here rather than by string.h, which an environment without a C library does not have. */
void *memcpy(void *restrict target, const void *restrict source, size_t bytes);

/* Each engine copies whole lines to a target that is aligned to a line. */
enum { LINE_BYTES = 64 };

/* Shorter copies are over before the stores can be combined into lines. */
enum { MIN_STREAMED_BYTES = 4 * LINE_BYTES };

typedef void line_copier(unsigned char *target, const unsigned char *source, size_t lines);

struct engine {
  const char *name;
  line_copier *copy_lines;
};

#if defined(__x86_64__)

#include <immintrin.h>

static void copy_lines_sse2(unsigned char *target, const unsigned char *source, size_t lines) {
  for (; lines > 0; lines--, target += LINE_BYTES, source += LINE_BYTES) {
    __m128i a = _mm_loadu_si128((const __m128i *)source);
    __m128i b = _mm_loadu_si128((const __m128i *)(source + 16));
    __m128i c = _mm_loadu_si128((const __m128i *)(source + 32));
    __m128i d = _mm_loadu_si128((const __m128i *)(source + 48));
    _mm_stream_si128((__m128i *)target, a);
    _mm_stream_si128((__m128i *)(target + 16), b);
    _mm_stream_si128((__m128i *)(target + 32), c);
    _mm_stream_si128((__m128i *)(target + 48), d);
  }
  _mm_sfence();
}

__attribute__((target("avx2"))) static void copy_lines_avx2(unsigned char *target,
                                                            const unsigned char *source,
                                                            size_t lines) {
  for (; lines > 0; lines--, target += LINE_BYTES, source += LINE_BYTES) {
    __m256i a = _mm256_loadu_si256((const __m256i *)source);
    __m256i b = _mm256_loadu_si256((const __m256i *)(source + 32));
    _mm256_stream_si256((__m256i *)target, a);
    _mm256_stream_si256((__m256i *)(target + 32), b);
  }
  _mm_sfence();
  _mm256_zeroupper(); /* Or SSE code that runs after this would be slow. */
}

__attribute__((target("avx512f"))) static void copy_lines_avx512(unsigned char *target,
                                                                 const unsigned char *source,
                                                                 size_t lines) {
  for (; lines > 0; lines--, target += LINE_BYTES, source += LINE_BYTES) {
    _mm512_stream_si512((__m512i *)target, _mm512_loadu_si512(source));
  }
  _mm_sfence();
  _mm256_zeroupper();
}

static const struct engine ENGINES[] = {
    {"sse2", copy_lines_sse2}, {"avx2", copy_lines_avx2}, {"avx512", copy_lines_avx512}};

/* Asks the processor, and whether the system saves the registers. */
static int best_engine(void) {
  if (__builtin_cpu_supports("avx512f")) {
    return 2;
  }
  return __builtin_cpu_supports("avx2") ? 1 : 0;
}

#elif defined(__aarch64__)

static void copy_lines_stnp(unsigned char *target, const unsigned char *source, size_t lines) {
  for (; lines > 0; lines--, target += LINE_BYTES, source += LINE_BYTES) {
    __asm__ volatile(
        "ldp q0, q1, [%1]\n\t"
        "ldp q2, q3, [%1, #32]\n\t"
        "stnp q0, q1, [%0]\n\t"
        "stnp q2, q3, [%0, #32]"
        :
        : "r"(target), "r"(source)
        : "v0", "v1", "v2", "v3", "memory");
  }
}

static const struct engine ENGINES[] = {{"stnp", copy_lines_stnp}};

static int best_engine(void) { return 0; }

#else
#error "non-temporal stores are written down for x86-64 and aarch64 only"
#endif

/* The number of the best engine of this processor; all below it work too. */
EXPORTED int tailwater_copy_best_engine(void) { return best_engine(); }

/* An engine's name, such as "avx512"; a constant. NULL when there is no engine of that number. */
EXPORTED const char *tailwater_copy_engine_name(int engine) {
  int count = (int)(sizeof ENGINES / sizeof ENGINES[0]);
  return engine >= 0 && engine < count ? ENGINES[engine].name : NULL;
}

/*
 * Copies by an engine from 0 to tailwater_copy_best_engine(). Any alignment, any length. When this
 * returns, the bytes are visible to whoever synchronizes with this thread, as after memcpy.
 */
EXPORTED void tailwater_copy_stream(void *restrict target, const void *restrict source,
                                    size_t bytes, int engine) {
  unsigned char *to = target;
  const unsigned char *from = source;
  if (bytes < MIN_STREAMED_BYTES) {
    memcpy(to, from, bytes);
    return;
  }
  size_t head = (size_t)(-(uintptr_t)to % LINE_BYTES);
  memcpy(to, from, head);
  size_t lines = (bytes - head) / LINE_BYTES;
  ENGINES[engine].copy_lines(to + head, from + head, lines);
  size_t done = head + lines * LINE_BYTES;
  memcpy(to + done, from + done, bytes - done);
}
