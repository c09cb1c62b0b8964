package dev.tailwater.io.watch.name;

import dev.tailwater.posix.PosixPath;
import java.util.Arrays;

/**
 * Some files of a directory, sorted by the bytes of their names. A file takes three longs and its
 * name; no object is kept for it. For one thread.
 */
final class NamePage {
  /** So few that moving them for an insertion costs less than looking at a file. */
  static final int MAX_FILES = 128;

  private static final int LONGS_EACH_FILE = 3;
  private static final int INODE = 0;
  private static final int CONTENT = 1;

  /** The fingerprint of the change time, the flags, and where the name starts. */
  private static final int REST = 2;

  private static final int CHANGE_SHIFT = 32;
  private static final long START_MASK = 0xff_ffff;
  private static final long THROUGH_LINK = 1 << 24;
  private static final long MAY_HAVE_UNSEEN_WRITE = 1 << 25;
  private static final long MARK = 1 << 26;

  /** The length of a name is stored before it; the kernel's records hold less than 64 KiB. */
  private static final int LENGTH_BYTES = 2;

  private static final int LEAST_FILES = 4;

  /** Objects and arrays without their elements, and the reference to the page. */
  private static final int BYTES_EACH_PAGE = 80;

  private long[] records;
  private byte[] names;
  private int count;

  /** Where the next name goes. */
  private int end;

  /** The bytes of names that are still in use, with their lengths. */
  private int liveBytes;

  NamePage() {
    this(LEAST_FILES, 0);
  }

  private NamePage(int files, int nameBytes) {
    records = new long[files * LONGS_EACH_FILE];
    names = new byte[nameBytes];
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == MAX_FILES;
  }

  /** Returns the heap that the page takes. */
  long memoryBytes() {
    return BYTES_EACH_PAGE + (long) records.length * Long.BYTES + names.length;
  }

  /**
   * Returns the position of a name; if it is not there, {@code -(position + 1)} of where it would
   * be.
   */
  int find(PosixPath name) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(name, middle);
      if (order == 0) {
        return middle;
      }
      if (order > 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  /** Compares a name with the one at a position. */
  int compare(PosixPath name, int at) {
    int start = start(at);
    return name.compareTo(names, start, start + length(start));
  }

  PosixPath name(int at) {
    int start = start(at);
    return PosixPath.of(names, start, start + length(start));
  }

  private int start(int at) {
    return (int) (record(at, REST) & START_MASK);
  }

  private int length(int start) {
    return (Byte.toUnsignedInt(names[start - 2]) << Byte.SIZE)
        | Byte.toUnsignedInt(names[start - 1]);
  }

  private long record(int at, int field) {
    return records[at * LONGS_EACH_FILE + field];
  }

  private void setRecord(int at, int field, long value) {
    records[at * LONGS_EACH_FILE + field] = value;
  }

  KnownFile file(int at) {
    long rest = record(at, REST);
    return new KnownFile(
        record(at, INODE),
        record(at, CONTENT),
        (int) (rest >>> CHANGE_SHIFT),
        (rest & THROUGH_LINK) != 0,
        (rest & MAY_HAVE_UNSEEN_WRITE) != 0);
  }

  /** Replaces what is known of the file at a position, and marks it. */
  void set(int at, KnownFile file) {
    set(at, file, start(at));
  }

  private void set(int at, KnownFile file, int start) {
    setRecord(at, INODE, file.inode());
    setRecord(at, CONTENT, file.content());
    setRecord(
        at,
        REST,
        ((long) file.change() << CHANGE_SHIFT)
            | (file.throughLink() ? THROUGH_LINK : 0)
            | (file.mayHaveUnseenWrite() ? MAY_HAVE_UNSEEN_WRITE : 0)
            | MARK
            | start);
  }

  boolean isMarked(int at) {
    return (record(at, REST) & MARK) != 0;
  }

  void mark(int at) {
    setRecord(at, REST, record(at, REST) | MARK);
  }

  void clearMarks() {
    for (int at = 0; at < count; at++) {
      setRecord(at, REST, record(at, REST) & ~MARK);
    }
  }

  /** Inserts a file, marked; the page must not be full. */
  void insert(int at, PosixPath name, KnownFile file) {
    openGap(at);
    int start = append(name.lengthBytes());
    name.copyTo(names, start);
    set(at, file, start);
    if (isFull() && liveBytes < names.length) {
      rewriteNames(liveBytes);
    }
  }

  /** Makes room for one more record. */
  private void openGap(int at) {
    int used = count * LONGS_EACH_FILE;
    if (used == records.length) {
      int files = Math.min(MAX_FILES, Math.max(count + LEAST_FILES, count + count / 4));
      records = Arrays.copyOf(records, files * LONGS_EACH_FILE);
    }
    int from = at * LONGS_EACH_FILE;
    System.arraycopy(records, from, records, from + LONGS_EACH_FILE, used - from);
    setRecord(at, REST, START_MASK); // Has no name yet.
    count++;
  }

  /** Makes room for one more name; returns where it starts. */
  private int append(int lengthBytes) {
    int bytes = LENGTH_BYTES + lengthBytes;
    if (end + bytes > names.length) {
      rewriteNames(liveBytes + bytes + liveBytes / 8);
    }
    names[end] = (byte) (lengthBytes >>> Byte.SIZE);
    names[end + 1] = (byte) lengthBytes;
    int start = end + LENGTH_BYTES;
    end += bytes;
    liveBytes += bytes;
    return start;
  }

  /** Copies the names that are in use to a new array. */
  private void rewriteNames(int capacityBytes) {
    byte[] target = new byte[capacityBytes];
    int to = 0;
    for (int at = 0; at < count; at++) {
      long rest = record(at, REST);
      int start = (int) (rest & START_MASK);
      if (start != START_MASK) {
        int bytes = LENGTH_BYTES + length(start);
        System.arraycopy(names, start - LENGTH_BYTES, target, to, bytes);
        setRecord(at, REST, (rest & ~START_MASK) | (to + LENGTH_BYTES));
        to += bytes;
      }
    }
    names = target;
    end = to;
  }

  /** Removes the file at a position. */
  void remove(int at) {
    liveBytes -= LENGTH_BYTES + length(start(at));
    closeGap(at, at + 1);
    if (liveBytes < names.length / 2) {
      rewriteNames(liveBytes + liveBytes / 8);
    }
  }

  private void closeGap(int from, int to) {
    int used = count * LONGS_EACH_FILE;
    int after = to * LONGS_EACH_FILE;
    System.arraycopy(records, after, records, from * LONGS_EACH_FILE, used - after);
    count -= to - from;
    if (count * 2 * LONGS_EACH_FILE <= records.length && count > 0) {
      int files = Math.max(LEAST_FILES, count + count / 4);
      records = Arrays.copyOf(records, files * LONGS_EACH_FILE);
    }
  }

  /** Moves the files from a position on to a new page that follows this one. */
  NamePage split(int from) {
    NamePage right = new NamePage(Math.max(LEAST_FILES, count - from), 0);
    right.takeFrom(this, from);
    closeGap(from, count);
    rewriteNames(liveBytes);
    return right;
  }

  /** Appends all files of the page that follows. */
  void join(NamePage next) {
    records =
        Arrays.copyOf(records, Math.max(records.length, (count + next.count) * LONGS_EACH_FILE));
    takeFrom(next, 0);
  }

  /** Copies the files of another page, which then gives them up. */
  private void takeFrom(NamePage other, int from) {
    int bytes = 0;
    for (int at = from; at < other.count; at++) {
      bytes += LENGTH_BYTES + other.length(other.start(at));
    }
    rewriteNames(liveBytes + bytes);
    for (int at = from; at < other.count; at++) {
      int start = other.start(at);
      int length = other.length(start);
      System.arraycopy(
          other.records, at * LONGS_EACH_FILE, records, count * LONGS_EACH_FILE, LONGS_EACH_FILE);
      int to = append(length);
      System.arraycopy(other.names, start, names, to, length);
      setRecord(count, REST, (record(count, REST) & ~START_MASK) | to);
      count++;
    }
    other.liveBytes -= bytes;
  }
}
