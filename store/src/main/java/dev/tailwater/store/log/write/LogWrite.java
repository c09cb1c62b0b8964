package dev.tailwater.store.log.write;

import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one call wants to change: decided by the committer, in the order of the log, from the map as
 * it is then. Handed over and back by the committer's queue and future.
 */
public final class LogWrite {
  private final long sizeBytes;
  private final boolean waits;
  private final Function<PersistentMap, List<Operation>> decision;
  private @Nullable Throwable refusal;
  private long version;

  /**
   * For a call.
   *
   * @param sizeBytes about the bytes that it will take in the log, as far as that is known now
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

  /** What to append; nothing when the update refuses. May be asked again. */
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

  /** Makes nothing of it; {@link #version()} will throw this. */
  void refuse(Throwable reason) {
    refusal = reason;
  }

  void made(long lastVersion) {
    version = lastVersion;
  }

  /** The version of its last operation; 0 when nothing was written. Throws what the update did. */
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
