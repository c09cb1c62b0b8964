package dev.tailwater.store.datafile.vacuum;

/**
 * Options for reclaiming the space of dead records. A record is dead when it was overwritten or
 * removed, or has expired; a removal is dead once nothing is left that it hides.
 *
 * <pre>{@code
 * DataFileOptions.defaults().withVacuum(VacuumOptions.defaults().withMaxSpaceAmplification(1.2))
 * }</pre>
 *
 * @param maxSpaceAmplification bound on the length of the full data files, as a multiple of what is
 *     live in them; at least 1.1. Three more files come on top: one by which the bound may be
 *     exceeded before work begins, the one that is appended to, and the one that is being
 *     rewritten. The lower the bound, the more is copied: at 1.5, at worst less than 5 bytes for
 *     each byte written
 * @param bytesPerSecond rate of reads and writes while the vacuum keeps up. It rises as the bound
 *     is exceeded, and is unlimited from a whole file on
 * @param automatic false: only {@code DataFileStore.vacuum()} reclaims space
 */
public record VacuumOptions(double maxSpaceAmplification, long bytesPerSecond, boolean automatic) {
  private static final double MIN_AMPLIFICATION = 1.1;
  private static final double DEFAULT_AMPLIFICATION = 1.5;
  private static final long DEFAULT_BYTES_PER_SECOND = 32L * 1024 * 1024;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when the bound is below 1.1, or the rate below 1
   */
  public VacuumOptions {
    if (!(maxSpaceAmplification >= MIN_AMPLIFICATION)) {
      throw new IllegalArgumentException("maxSpaceAmplification " + maxSpaceAmplification);
    }
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytesPerSecond " + bytesPerSecond);
    }
  }

  /** Returns options for an automatic vacuum: at most 1.5 times what is live, 32 MiB per second. */
  public static VacuumOptions defaults() {
    return new VacuumOptions(DEFAULT_AMPLIFICATION, DEFAULT_BYTES_PER_SECOND, true);
  }

  /** These options with another {@link #maxSpaceAmplification()}. */
  public VacuumOptions withMaxSpaceAmplification(double factor) {
    return new VacuumOptions(factor, bytesPerSecond, automatic);
  }

  /** These options with another {@link #bytesPerSecond()}. */
  public VacuumOptions withBytesPerSecond(long bytes) {
    return new VacuumOptions(maxSpaceAmplification, bytes, automatic);
  }

  /** These options with another {@link #automatic()}. */
  public VacuumOptions withAutomatic(boolean other) {
    return new VacuumOptions(maxSpaceAmplification, bytesPerSecond, other);
  }
}
