package dev.tailwater.store.log.write;

import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The draft of a frame: writes for which nobody waits, and as many from the front of a group as fit
 * beside them. The length of an operation is known only when its write has been decided, so it is
 * counted here. Used by one thread.
 */
final class FrameDraft {
  /** Where a frame of several writes ends; a single batch may be longer. */
  private static final long SHARED_BYTES = 4 * 1024 * 1024;

  private final List<Operation> operations = new ArrayList<>();
  private PersistentMap map;
  private long nextVersion;
  private long payloadBytes;
  private long writes;

  /**
   * Creates an empty draft.
   *
   * @param map what the first write sees
   * @param firstVersion version of the first operation
   */
  FrameDraft(PersistentMap map, long firstVersion) {
    this.map = map;
    this.nextVersion = firstVersion;
  }

  /** The state of the draft at some moment, to {@linkplain #backTo return} to. */
  record Mark(
      int operations, PersistentMap map, long nextVersion, long payloadBytes, long writes) {}

  Mark mark() {
    return new Mark(operations.size(), map, nextVersion, payloadBytes, writes);
  }

  /** Drops what was added since the mark. */
  void backTo(Mark mark) {
    operations.subList(mark.operations(), operations.size()).clear();
    map = mark.map();
    nextVersion = mark.nextVersion();
    payloadBytes = mark.payloadBytes();
    writes = mark.writes();
  }

  /**
   * Takes writes in their order, up to the first that does not fit beside those before it, and
   * returns their number. Later writes see the changes of earlier ones. An empty draft always takes
   * the first write; a write that fits no frame is refused.
   */
  int take(List<LogWrite> group) {
    int taken = 0;
    for (LogWrite write : group) {
      List<Operation> decided = write.decide(map);
      long bytes = encodedBytes(decided);
      if (bytes > FrameHeader.MAX_PAYLOAD_BYTES) {
        write.refuse(tooLong(bytes));
      } else if (operations.isEmpty() || payloadBytes + bytes <= SHARED_BYTES) {
        decided.forEach(operation -> write.made(add(operation)));
      } else {
        return taken;
      }
      writes++;
      taken++;
    }
    return taken;
  }

  /** Adds operations that no write has asked for, as far as they fit beside the writes. */
  void addIfRoom(List<Operation> more) {
    for (Operation operation : more) {
      if (payloadBytes + operation.encodedBytes() > SHARED_BYTES) {
        return;
      }
      add(operation);
    }
  }

  private long add(Operation operation) {
    Operation numbered = operation.withVersion(nextVersion++);
    map = map.after(numbered);
    operations.add(numbered);
    payloadBytes += numbered.encodedBytes();
    return numbered.version();
  }

  private static long encodedBytes(List<Operation> operations) {
    long bytes = 0;
    for (Operation operation : operations) {
      bytes += operation.encodedBytes();
    }
    return bytes;
  }

  private static IllegalArgumentException tooLong(long bytes) {
    return new IllegalArgumentException(
        "a write that takes "
            + bytes
            + " bytes in the log; at most "
            + FrameHeader.MAX_PAYLOAD_BYTES
            + " are allowed");
  }

  /** Returns all operations, with their versions. */
  List<Operation> operations() {
    return operations;
  }

  /** Returns the map after them. */
  PersistentMap map() {
    return map;
  }

  /** Returns whether it is long enough for a frame of its own. */
  boolean isFull() {
    return payloadBytes >= SHARED_BYTES;
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  /** Returns the number of writes that were taken, including those that change nothing. */
  long writes() {
    return writes;
  }
}
