package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.open.PackSlice;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.seal.PlainPack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/**
 * A pack that is merged with others; all of it is in memory.
 *
 * @param object the whole object
 */
public record PackInput(OpenedPack pack, @SuppressWarnings("ArrayRecordComponent") byte[] object) {
  /** Sixty-four times what writers make: a short object may decompress to any number of bytes. */
  private static final long MOST_UNIT_BYTES = 64L << 20;

  /** Opens a pack that was kept. */
  public static PackInput of(PlainPack kept) throws IOException {
    PackName name = kept.name();
    ByteArrayInputStream bytes = new ByteArrayInputStream(kept.object());
    return new PackInput(new PackOpener().open(name, bytes, List.of()), kept.object());
  }

  /**
   * Checks that every range has the checksum that the directory states.
   *
   * @throws DamagedSegmentException when one has not
   */
  public void check() throws IOException {
    int ranges = pack.directory().ranges().size();
    if (ranges == 0) {
      return;
    }
    PackSlice all = pack.slice(0, ranges);
    ByteRange at = all.objectRange();
    all.read(
        new ByteArrayInputStream(object, (int) at.startBytes(), (int) at.lengthBytes()),
        new PackSlice.Sink() {
          @Override
          public void begin(PackedRange range) {}

          @Override
          public void accept(byte[] bytes, int lengthBytes) {}

          @Override
          public void end(PackedRange range) {}
        });
  }

  /**
   * Returns the raw bytes of a unit. That they are the right ones is for the caller to check.
   *
   * @param reused as {@link PackSlice#readRaw(java.io.InputStream, int, byte[])} has it
   * @throws DamagedSegmentException when it is too long to be held in memory
   */
  byte[] unit(int number, byte[] reused) throws IOException {
    long rawBytes = pack.directory().units().get(number).rawBytes();
    if (rawBytes > MOST_UNIT_BYTES) {
      throw new DamagedSegmentException(
          pack.name().key(), 0, "a unit of " + rawBytes + " raw bytes is too long to be merged");
    }
    PackSlice slice = pack.unit(number);
    ByteRange at = slice.objectRange();
    ByteArrayInputStream bytes =
        new ByteArrayInputStream(object, (int) at.startBytes(), (int) at.lengthBytes());
    return slice.readRaw(bytes, (int) rawBytes, reused);
  }
}
