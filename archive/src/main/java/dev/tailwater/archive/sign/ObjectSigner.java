package dev.tailwater.archive.sign;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Signs objects. The times of its signatures never go back, even if the clock does, so of two
 * versions of an object the later one can be told. Thread-safe.
 */
public final class ObjectSigner {
  private final SigningKey key;
  private final LongSupplier clockMillis;
  private final AtomicLong latestMillis = new AtomicLong(Long.MIN_VALUE);

  public ObjectSigner(SigningKey key, LongSupplier clockMillis) {
    this.key = key;
    this.clockMillis = clockMillis;
  }

  /** Returns the key with which others check the signatures. */
  public VerifyingKey publicKey() {
    return key.publicKey();
  }

  /** Signs later than an earlier signature, whatever the clock says. */
  public void signAfter(long atMillis) {
    latestMillis.accumulateAndGet(atMillis, Math::max);
  }

  /** Signs a statement. */
  public ObjectSignature sign(Statement statement) {
    long now = clockMillis.getAsLong();
    long atMillis = latestMillis.updateAndGet(latest -> latest >= now ? latest + 1 : now);
    return new ObjectSignature(
        key.publicKey().id(), atMillis, key.sign(statement.message(atMillis)));
  }
}
