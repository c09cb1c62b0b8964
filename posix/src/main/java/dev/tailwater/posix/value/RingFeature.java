package dev.tailwater.posix.value;

/** Features that the kernel reports from io_uring_setup(2). */
public enum RingFeature {
  /** Both rings share one mapping (IORING_FEAT_SINGLE_MMAP, Linux 5.4). */
  SINGLE_MAPPING,
  /** Completions are never dropped (IORING_FEAT_NODROP, Linux 5.5). */
  NO_DROP,
  /** IORING_OP_READ is supported too (IORING_FEAT_RW_CUR_POS, Linux 5.6). */
  READ_AND_WRITE
}
