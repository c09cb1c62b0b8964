package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.record.StreamRecord;

/**
 * How a stream ended.
 *
 * @param readToBytes every byte below was read, and is delivered or on its way
 * @param knownSizeBytes the largest size the file was seen with; bytes from {@code readToBytes} to
 *     here were destroyed before they could be read
 */
public record Ending(
    StreamRecord.EndReason reason, long readToBytes, long knownSizeBytes, long atMillis) {

  /** Whether no byte can follow: the inode is gone, or was truncated. */
  public boolean isFinal() {
    return reason == StreamRecord.EndReason.DELETED || reason == StreamRecord.EndReason.TRUNCATED;
  }

  /** Why bytes are missing, in the words of a gap record. */
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
}
