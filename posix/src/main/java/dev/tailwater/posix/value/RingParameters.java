package dev.tailwater.posix.value;

import java.util.Set;

/**
 * The parameters of a new io_uring: struct io_uring_params as the kernel filled it in. Offsets are
 * bytes from the start of the mapping at {@code IORING_OFF_SQ_RING}.
 *
 * @param fd the ring's descriptor
 * @param submissionEntries how many submissions fit, a power of two
 * @param completionEntries how many completions fit, a power of two
 * @param submission the offsets of the fields of the submission ring
 * @param completion the offsets of the fields of the completion ring
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_setup.2.html">io_uring_setup(2)</a>
 */
public record RingParameters(
    int fd,
    int submissionEntries,
    int completionEntries,
    Set<RingFeature> features,
    SubmissionOffsets submission,
    CompletionOffsets completion) {
  public RingParameters {
    features = Set.copyOf(features);
  }

  /** struct io_sqring_offsets; {@code array} holds indexes into the table of submission entries. */
  public record SubmissionOffsets(int head, int tail, int mask, int flags, int array) {}

  /** struct io_cqring_offsets; {@code entries} holds the completions themselves. */
  public record CompletionOffsets(int head, int tail, int mask, int overflow, int entries) {}
}
