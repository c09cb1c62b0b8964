package dev.tailwater.archive.open;

import dev.tailwater.archive.BulkInputStream;
import dev.tailwater.archive.ObjectInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * An input stream that decompresses consecutive gzip members (RFC 1952) until the input ends.
 * Unlike the stream of the JDK, it rejects garbage after a member.
 */
final class GzipInput extends BulkInputStream {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int KNOWN_FLAGS = 31;

  private final InputStream in;
  private final ObjectInput object;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int limit;
  private boolean inMember;

  /**
   * Creates a stream.
   *
   * @param in the gzip members
   * @param object the object that they come from, for messages
   */
  GzipInput(InputStream in, ObjectInput object) {
    this.in = in;
    this.object = object;
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    while (inMember || beginMember()) {
      int inflated = inflate(target, from, lengthBytes);
      if (inflated > 0) {
        return inflated;
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int from, int lengthBytes) throws IOException {
    if (inflater.needsInput()) {
      if (next == limit && !fill()) {
        throw object.damaged("ends within a gzip member");
      }
      inflater.setInput(buffer, next, limit - next);
      next = limit;
    }
    int inflated;
    try {
      inflated = inflater.inflate(target, from, lengthBytes);
    } catch (DataFormatException damaged) {
      throw object.damaged("not deflated data: " + damaged.getMessage());
    }
    crc.update(target, from, inflated);
    if (inflater.finished()) {
      next = limit - inflater.getRemaining();
      endMember();
    } else if (inflater.needsDictionary()) {
      throw object.damaged("deflated with a preset dictionary");
    }
    return inflated;
  }

  /** Reads the header of the next member; returns false at the end of the input. */
  private boolean beginMember() throws IOException {
    if (next == limit && !fill()) {
      return false;
    }
    if (take() != 0x1f || take() != 0x8b || take() != 8) {
      throw object.damaged("something that is no gzip member follows");
    }
    int flags = take();
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw object.damaged("a gzip member has unknown flags");
    }
    skip(6);
    if ((flags & FLAG_EXTRA) != 0) {
      skip(take() | take() << 8);
    }
    skipText(flags & FLAG_NAME);
    skipText(flags & FLAG_COMMENT);
    if ((flags & FLAG_HEADER_CRC) != 0) {
      skip(2);
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    inMember = false;
    if (takeInt() != (int) crc.getValue()) {
      throw object.damaged("the checksum of a gzip member is wrong");
    }
    if (takeInt() != (int) inflater.getBytesWritten()) {
      throw object.damaged("the length of a gzip member is wrong");
    }
  }

  private int takeInt() throws IOException {
    return take() | take() << 8 | take() << 16 | take() << 24;
  }

  private void skipText(int present) throws IOException {
    while (present != 0 && take() != 0) {
      // Skip the text, which is not needed.
    }
  }

  private void skip(int bytes) throws IOException {
    for (int skipped = 0; skipped < bytes; skipped++) {
      take();
    }
  }

  private int take() throws IOException {
    if (next == limit && !fill()) {
      throw object.damaged("ends within a gzip member");
    }
    return Byte.toUnsignedInt(buffer[next++]);
  }

  private boolean fill() throws IOException {
    next = 0;
    limit = Math.max(0, in.read(buffer, 0, BUFFER_BYTES));
    return limit > 0;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
