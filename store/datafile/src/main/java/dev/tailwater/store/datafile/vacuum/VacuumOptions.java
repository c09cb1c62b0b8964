package dev.tailwater.store.datafile.vacuum;

/**
 * How the space of dead records is reclaimed. A record is dead when it was overwritten, removed or
 * has expired; a removal is, once nothing is left that it hides.
 *
 * <pre>{@code
 * DataFileOptions.defaults().withVacuum(VacuumOptions.defaults().withMaxSpaceAmplification(1.2))
 * }</pre>
 *
 * @param maxSpaceAmplification how long the full data files may be, as a multiple of what is live
 *     in them; from 1.1. Beside that, the length of three files: one by which it may be exceeded
 *     before work begins, the one that is appended to, and the one that is being written. The lower
 *     it is, the more is copied: at 1.5 less than 5 bytes for each byte written, at worst
 * @param bytesPerSecond how much the vacuum reads and writes while it keeps up; when the bound is
 *     exceeded, more, the more it is exceeded, and from a whole file on without limit
 * @param automatic false: only {@code DataFileStore.vacuum()} reclaims anything
 */
public record VacuumOptions(double maxSpaceAmplification, long bytesPerSecond, boolean automatic) {
  private static final double MIN_AMPLIFICATION = 1.1;
  private static final double DEFAULT_AMPLIFICATION = 1.5;
  private static final long DEFAULT_BYTES_PER_SECOND = 32L * 1024 * 1024;

  public VacuumOptions {
    if (!(maxSpaceAmplification >= MIN_AMPLIFICATION)) {
      throw new IllegalArgumentException("maxSpaceAmplification " + maxSpaceAmplification);
    }
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytesPerSecond " + bytesPerSecond);
    }
  }

  /** Files of at most 1.5 times what is live, 32 MiB per second, automatic. */
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
