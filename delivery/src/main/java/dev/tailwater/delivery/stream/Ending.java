package dev.tailwater.delivery.stream;

import dev.tailwater.archive.record.StreamRecord;

/**
 * How a stream ended.
 *
 * @param readToBytes every byte below this offset was read, and is delivered or in flight
 * @param knownSizeBytes the largest size that the file was seen with; bytes from {@code
 *     readToBytes} up to it were destroyed before they could be read
 */
public record Ending(
    StreamRecord.EndReason reason, long readToBytes, long knownSizeBytes, long atMillis) {

  /** Returns whether no byte can follow: the inode is gone, or was truncated. */
  public boolean isFinal() {
    return reason.isFinal();
  }

  /** Returns why bytes are missing, in the words of a gap record. */
  public String explanation() {
    return switch (reason) {
      case TRUNCATED -> "the file was truncated before these bytes were read or delivered";
      case DELETED -> "the file was deleted before these bytes were read or delivered";
      case MOVED_AWAY -> "the file was moved away before these bytes were read or delivered";
      case VANISHED -> "the file vanished while no agent watched";
    };
  }

  public boolean destroyedUnreadBytes() {
    return knownSizeBytes > readToBytes;
  }

  /** Returns the same end, but not before that time. */
  Ending notBefore(long millis) {
    return new Ending(reason, readToBytes, knownSizeBytes, Math.max(atMillis, millis));
  }
}
