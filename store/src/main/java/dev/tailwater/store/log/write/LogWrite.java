package dev.tailwater.store.log.write;

import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A requested write. The committer decides it in the order of the log, from the map of that moment.
 * It is handed over and back by the committer's queue and future.
 */
public final class LogWrite {
  private final long sizeBytes;
  private final boolean waits;
  private final Function<PersistentMap, List<Operation>> decision;
  private @Nullable Throwable refusal;
  private long version;

  /**
   * Creates a write.
   *
   * @param sizeBytes about the length that it will take in the log, as far as it is known now
   * @param waits whether it is acknowledged only when it is durable
   */
  public LogWrite(
      long sizeBytes, boolean waits, Function<PersistentMap, List<Operation>> decision) {
    this.sizeBytes = sizeBytes;
    this.waits = waits;
    this.decision = decision;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  boolean waits() {
    return waits;
  }

  /** Returns what to append; nothing when the update refuses. May be called again. */
  List<Operation> decide(PersistentMap map) {
    refusal = null;
    version = 0;
    try {
      return decision.apply(map);
    } catch (Throwable refused) {
      // An Error too: it is the caller's, and other writers have nothing to do with it.
      refuse(refused);
      return List.of();
    }
  }

  /** Refuses the write; {@link #version()} will throw this. */
  void refuse(Throwable reason) {
    refusal = reason;
  }

  void made(long lastVersion) {
    version = lastVersion;
  }

  /**
   * Returns the version of its last operation, or 0 when nothing was written; throws what the
   * update threw.
   */
  public long version() {
    if (refusal != null) {
      raise(refusal);
    }
    return version;
  }

  /** As the update threw it, which code in other languages does with checked exceptions too. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
