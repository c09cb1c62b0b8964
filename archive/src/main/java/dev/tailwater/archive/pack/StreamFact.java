package dev.tailwater.archive.pack;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.posix.PosixPath;

/** What a pack says of a stream beside its bytes. The latest of each kind counts. */
public sealed interface StreamFact {
  /** Returns the number of the stream in the group. */
  int number();

  /** Returns the same fact about a stream with another number. */
  StreamFact withNumber(int newNumber);

  /**
   * The file has another path.
   *
   * @param sinceMillis since when, milliseconds since 1970
   */
  record Renamed(int number, PosixPath path, long sinceMillis) implements StreamFact {
    public Renamed {
      PackedStream.requireFile(path);
    }

    @Override
    public Renamed withNumber(int newNumber) {
      return new Renamed(newNumber, path, sinceMillis);
    }
  }

  /**
   * The file's attributes, where no range of the pack tells them: it is empty, or only they have
   * changed.
   *
   * @param sizeBytes its length
   * @param modificationTimeNanos mtime, nanoseconds since 1970
   * @param seenAtMillis when the file had them, milliseconds since 1970; before the pack was sealed
   */
  record Attributes(
      int number, int permissions, long sizeBytes, long modificationTimeNanos, long seenAtMillis)
      implements StreamFact {
    public Attributes {
      if (sizeBytes < 0 || (permissions & ~07777) != 0) {
        throw new IllegalArgumentException(
            "not attributes: " + sizeBytes + " bytes, 0" + Integer.toOctalString(permissions));
      }
    }

    @Override
    public Attributes withNumber(int newNumber) {
      return new Attributes(newNumber, permissions, sizeBytes, modificationTimeNanos, seenAtMillis);
    }
  }

  /**
   * The stream has ended.
   *
   * @param sizeBytes its final length
   * @param atMillis when the agent noticed it, milliseconds since 1970
   */
  record Ended(int number, EndReason reason, long sizeBytes, long atMillis) implements StreamFact {
    public Ended {
      if (sizeBytes < 0) {
        throw new IllegalArgumentException("a size is 0 or more, not " + sizeBytes);
      }
    }

    @Override
    public Ended withNumber(int newNumber) {
      return new Ended(newNumber, reason, sizeBytes, atMillis);
    }
  }

  /** The stream goes on, whatever was said of its end. */
  record Continued(int number) implements StreamFact {
    @Override
    public Continued withNumber(int newNumber) {
      return new Continued(newNumber);
    }
  }

  /**
   * Bytes will never be delivered.
   *
   * @param reason why, for people
   * @param atMillis when they were given up, milliseconds since 1970
   */
  record Missing(int number, ByteRange range, String reason, long atMillis) implements StreamFact {
    /** The longest reason, in bytes of UTF-8. */
    public static final int MAX_REASON_BYTES = 4000;

    public Missing {
      if (range.isEmpty()) {
        throw new IllegalArgumentException("nothing is missing in " + range);
      }
    }

    @Override
    public Missing withNumber(int newNumber) {
      return new Missing(newNumber, range, reason, atMillis);
    }
  }

  /**
   * Bytes that were replaced are not kept: at moments from one time until before another, nobody
   * can tell what the file had there.
   */
  record Dropped(int number, ByteRange range, long fromMillis, long untilMillis)
      implements StreamFact {
    public Dropped {
      if (range.isEmpty() || fromMillis >= untilMillis) {
        throw new IllegalArgumentException(
            "nothing is dropped of " + range + " from " + fromMillis + " until " + untilMillis);
      }
    }

    @Override
    public Dropped withNumber(int newNumber) {
      return new Dropped(newNumber, range, fromMillis, untilMillis);
    }

    /** Returns whether the bytes cannot be told of a moment. */
    public boolean isAbout(long atMillis) {
      return fromMillis <= atMillis && atMillis < untilMillis;
    }
  }

  /** Bytes were changed in the file after they had been read, or it is known that none were. */
  record ChangedInPlace(int number, boolean changed) implements StreamFact {
    @Override
    public ChangedInPlace withNumber(int newNumber) {
      return new ChangedInPlace(newNumber, changed);
    }
  }
}
