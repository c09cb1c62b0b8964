package dev.tailwater.io.watch.name;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.value.FileStatus;

/**
 * What is known of a file by its name: which inode that was, and how it looked. Both are kept as
 * fingerprints, since they are only compared for equality. Two different values have the same
 * fingerprint about once in 2^64 comparisons; then a rename is reported that was none, or a scan
 * misses a write of which the kernel told nothing either. Who a stream is decides the {@link
 * FileIdentity} of an open descriptor.
 *
 * @param inode the fingerprint of device, inode number and birth time
 * @param content the fingerprint of size and modification time
 * @param change the fingerprint of the change time, in 32 bits: it alone tells of a write only if
 *     somebody has set the modification time back
 * @param throughLink whether the name is a symbolic link; changes of such a file must be polled
 * @param mayHaveUnseenWrite whether the file is polled and was written shortly before it was looked
 *     at, so that a later write may have the same time stamp. It is reported once more
 */
public record KnownFile(
    long inode, long content, int change, boolean throughLink, boolean mayHaveUnseenWrite) {
  /** A birth time where the file system keeps none. */
  private static final long NO_BIRTH_TIME = Long.MIN_VALUE;

  /** Returns what a look at a name tells of its file. */
  public static KnownFile of(FileStatus status, boolean throughLink) {
    return new KnownFile(
        inode(status),
        content(status),
        change(status),
        throughLink,
        /* mayHaveUnseenWrite= */ false);
  }

  private static long inode(FileStatus status) {
    long birthTimeNanos = status.birthTimeNanos().orElse(NO_BIRTH_TIME);
    return mix(mix(mix(status.device()) ^ status.inode()) ^ birthTimeNanos);
  }

  private static long content(FileStatus status) {
    return mix(mix(status.sizeBytes()) ^ status.modificationTimeNanos());
  }

  private static int change(FileStatus status) {
    return (int) mix(status.changeTimeNanos());
  }

  /** The finalizer of SplittableRandom: a permutation that changes half of the bits on average. */
  private static long mix(long value) {
    long mixed = value + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** Returns whether the status is of the same inode. */
  public boolean isOf(FileStatus status) {
    return inode == inode(status);
  }

  /** Returns whether the file was written or touched since. */
  public boolean differs(FileStatus status) {
    return contentDiffers(status) || change != change(status);
  }

  /** As {@link #differs}, but ignores the change time, which a rename sets too. */
  public boolean contentDiffers(FileStatus status) {
    return content != content(status);
  }

  /** Returns the same, with or without a write that may have gone unseen. */
  public KnownFile withUnseenWrite(boolean possible) {
    return new KnownFile(inode, content, change, throughLink, possible);
  }
}
