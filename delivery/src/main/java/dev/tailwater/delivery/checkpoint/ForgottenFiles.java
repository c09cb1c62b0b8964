package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.FileIdentity;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Which files a state may have known of which this one knows nothing, since they were out of sight
 * for long: those that were born no later than the last of these. The archive may hold other bytes
 * under the names of their streams.
 *
 * @param lastBirthNanos when the last of them was born, nanoseconds since 1970
 * @param someWithoutBirth whether there are some of which that is not known
 */
public record ForgottenFiles(long lastBirthNanos, boolean someWithoutBirth) {
  /** No file was forgotten. */
  public static final ForgottenFiles NONE = new ForgottenFiles(Long.MIN_VALUE, false);

  private static final int LENGTH_BYTES = Long.BYTES + 1;

  /** Returns these and one more. */
  public ForgottenFiles with(FileIdentity file) {
    return file.birthTimeNanos().isPresent()
        ? new ForgottenFiles(
            Math.max(lastBirthNanos, file.birthTimeNanos().getAsLong()), someWithoutBirth)
        : new ForgottenFiles(lastBirthNanos, true);
  }

  /** Returns these and all that a state may have known that was lost at this time. */
  ForgottenFiles withAllOf(long lostAtMillis) {
    long lostAtNanos = TimeUnit.MILLISECONDS.toNanos(lostAtMillis);
    return new ForgottenFiles(Math.max(lastBirthNanos, lostAtNanos), true);
  }

  /** Returns whether a file may be one of them. */
  public boolean mayHave(FileIdentity file) {
    return file.birthTimeNanos().isPresent()
        ? file.birthTimeNanos().getAsLong() <= lastBirthNanos
        : someWithoutBirth;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(LENGTH_BYTES)
        .putLong(lastBirthNanos)
        .put((byte) (someWithoutBirth ? 1 : 0))
        .array();
  }

  static ForgottenFiles fromBytes(byte[] bytes) {
    if (bytes.length < LENGTH_BYTES) {
      return NONE;
    }
    ByteBuffer from = ByteBuffer.wrap(bytes);
    return new ForgottenFiles(from.getLong(), from.get() != 0);
  }
}
