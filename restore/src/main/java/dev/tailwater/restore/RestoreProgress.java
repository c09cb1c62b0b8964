package dev.tailwater.restore;

/**
 * Hears how far a run has come. Called from several threads at the same time, often; must be
 * thread-safe and quick. All methods do nothing unless overridden.
 */
public interface RestoreProgress {
  /** So much has been listed up to now. */
  default void listed(long objects, long streams) {}

  /** Now the names, ends and gaps of so many streams are read. */
  default void reading(long streams) {}

  /** One of them is read. */
  default void read() {}

  /**
   * The work is known.
   *
   * @param bytes raw bytes to be fetched, compared or checked
   */
  default void planned(long streams, long bytes) {}

  /** So many more raw bytes are done; after a failure the same bytes may be counted again. */
  default void done(long bytes) {}

  /** Everything about one stream is done, well or not. */
  default void finished() {}

  static RestoreProgress none() {
    return new RestoreProgress() {};
  }
}
