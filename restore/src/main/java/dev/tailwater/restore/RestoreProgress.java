package dev.tailwater.restore;

/**
 * A listener for the progress of a run. It is called often, from several threads at the same time,
 * and must be thread-safe and fast. All methods do nothing unless overridden.
 */
public interface RestoreProgress {
  /** So many objects and streams have been listed up to now. */
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

  /** Returns a listener that ignores everything. */
  static RestoreProgress none() {
    return new RestoreProgress() {};
  }
}
