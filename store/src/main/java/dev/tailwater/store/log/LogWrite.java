package dev.tailwater.store.log;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one call wants to change: decided by the committer, in the order of the log, from the map as
 * it is then. Handed over and back by the committer's queue and future.
 */
final class LogWrite {
  private final long sizeBytes;
  private final Function<PersistentMap, List<Operation>> decision;
  private @Nullable RuntimeException refusal;
  private long version;

  /**
   * For a call.
   *
   * @param sizeBytes about the bytes that it will take in the log
   */
  LogWrite(long sizeBytes, Function<PersistentMap, List<Operation>> decision) {
    this.sizeBytes = sizeBytes;
    this.decision = decision;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** What to append; nothing when the update refuses. May be asked again. */
  List<Operation> decide(PersistentMap map) {
    refusal = null;
    version = 0;
    try {
      return decision.apply(map);
    } catch (RuntimeException refused) {
      refusal = refused;
      return List.of();
    }
  }

  void made(long lastVersion) {
    version = lastVersion;
  }

  /** The version of its last operation; 0 when nothing was written. Throws what the update did. */
  long version() {
    if (refusal != null) {
      throw refusal;
    }
    return version;
  }
}
