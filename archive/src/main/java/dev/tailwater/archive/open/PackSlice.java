package dev.tailwater.archive.open;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.tailwater.archive.BulkInputStream;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.age.AgeChunks;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackedRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Some neighbouring ranges of a pack, and which bytes of the object hold them. Immutable. */
public final class PackSlice {
  private static final int BUFFER_BYTES = 128 * 1024;

  /** Memory for so many bytes is taken because a directory states them; for more, as they come. */
  private static final int BELIEVED_BYTES = 4 << 20;

  private final PackName name;
  private final ByteRange fetched;
  private final List<PackedRange> ranges;
  private final long skippedBytes;
  private final Optional<Chunks> chunks;
  private final Optional<List<CheckedUnits.Unit>> units;

  /**
   * How the bytes are encrypted.
   *
   * @param first the number of the first chunk
   * @param count how many chunks the whole payload has
   * @param skippedBytes how many bytes of the first chunk are not of the slice
   * @param plainBytes how many bytes the slice has
   */
  record Chunks(
      @SuppressWarnings("ArrayRecordComponent") byte[] key,
      long first,
      long count,
      long skippedBytes,
      long plainBytes) {}

  PackSlice(
      PackName name,
      ByteRange fetched,
      List<PackedRange> ranges,
      long skippedBytes,
      Optional<Chunks> chunks,
      Optional<List<CheckedUnits.Unit>> units) {
    this.name = name;
    this.fetched = fetched;
    this.ranges = List.copyOf(ranges);
    this.skippedBytes = skippedBytes;
    this.chunks = chunks;
    this.units = units;
  }

  /** Receives the bytes of ranges, one range after the other. */
  public interface Sink {
    /** A range begins. */
    void begin(PackedRange range) throws IOException;

    /** Its next bytes; the array is used again after this method returns. */
    void accept(byte[] bytes, int lengthBytes) throws IOException;

    /** It has ended, and has the checksum that the directory states. */
    void end(PackedRange range) throws IOException;
  }

  /** Returns which bytes of the object to fetch. */
  public ByteRange objectRange() {
    return fetched;
  }

  /** Returns the ranges, in the order in which they come. */
  public List<PackedRange> ranges() {
    return ranges;
  }

  /**
   * Decrypts, decompresses and checks the ranges.
   *
   * @param object the object's bytes in {@link #objectRange}; not closed
   * @param sink receives the bytes before the checksum of their range is verified; what it got of a
   *     range without an end is to be discarded
   * @throws DamagedSegmentException if the bytes are not what a sealer wrote
   * @throws IOException whatever {@code object} or {@code sink} throws, unchanged
   */
  public void read(InputStream object, Sink sink) throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    try (ZstdInputStreamNoFinalizer raw = raw(in)) {
      skip(raw, skippedBytes, in);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (PackedRange range : ranges) {
        read(range, raw, buffer, in, sink);
      }
    } catch (ZstdIOException damaged) {
      throw in.damaged("not what zstd wrote: " + damaged.getMessage());
    }
  }

  /**
   * Returns the first raw bytes of the units. That they are the right ones is for the caller to
   * check, by the checksums of the ranges.
   *
   * @param object the object's bytes in {@link #objectRange}; not closed
   * @throws DamagedSegmentException if the bytes are not what zstd wrote, or fewer
   */
  public byte[] readRaw(InputStream object, int rawBytes) throws IOException {
    return readRaw(object, rawBytes, new byte[0]);
  }

  /**
   * Does what {@link #readRaw(InputStream, int)} does, in an array that is used again.
   *
   * @param reused what an earlier call has returned, or any other array that is not needed
   * @return the same array if there is room in it; what is behind the bytes in it means nothing
   */
  public byte[] readRaw(InputStream object, int rawBytes, byte[] reused) throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    try (ZstdInputStreamNoFinalizer raw = raw(in)) {
      if (reused.length < rawBytes && rawBytes > BELIEVED_BYTES) {
        byte[] bytes = raw.readNBytes(rawBytes);
        requireAll(bytes.length, rawBytes, in);
        return bytes;
      }
      byte[] bytes = reused.length < rawBytes ? new byte[rawBytes] : reused;
      requireAll(raw.readNBytes(bytes, 0, rawBytes), rawBytes, in);
      return bytes;
    } catch (ZstdIOException damaged) {
      throw in.damaged("not what zstd wrote: " + damaged.getMessage());
    }
  }

  private static void requireAll(int had, int wanted, ObjectInput in)
      throws DamagedSegmentException {
    if (had < wanted) {
      throw in.damaged("holds fewer bytes than its directory states");
    }
  }

  private ZstdInputStreamNoFinalizer raw(ObjectInput in) throws IOException {
    InputStream plain =
        units.<InputStream>map(signed -> new CheckedUnits(in, name.key(), signed)).orElse(in);
    if (chunks.isPresent()) {
      Chunks sealed = chunks.get();
      plain = new AgeChunks(in, sealed.key(), sealed.first(), sealed.count());
      skip(plain, sealed.skippedBytes(), in);
      plain = new Limited(plain, sealed.plainBytes());
    }
    return new ZstdInputStreamNoFinalizer(new SegmentOpener.Unclosed(plain))
        .setLongMax(SegmentOpener.MAX_WINDOW_LOG);
  }

  private static void skip(InputStream from, long lengthBytes, ObjectInput in) throws IOException {
    try {
      from.skipNBytes(lengthBytes);
    } catch (EOFException tooShort) {
      throw in.damaged("holds fewer bytes than its directory states");
    }
  }

  private static void read(
      PackedRange range, InputStream raw, byte[] buffer, ObjectInput in, Sink sink)
      throws IOException {
    sink.begin(range);
    CRC32C crc = new CRC32C();
    long left = range.range().lengthBytes();
    while (left > 0) {
      int taken = raw.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (taken < 0) {
        throw in.damaged("holds fewer bytes than its directory states");
      }
      crc.update(buffer, 0, taken);
      sink.accept(buffer, taken);
      left -= taken;
    }
    if ((int) crc.getValue() != range.rawCrc32c()) {
      throw in.damaged(
          "the bytes " + range.range() + " do not have the checksum that the directory states");
    }
    sink.end(range);
  }

  /** A stream that ends after a number of bytes. */
  private static final class Limited extends BulkInputStream {
    private final InputStream in;
    private long left;

    Limited(InputStream in, long lengthBytes) {
      this.in = in;
      this.left = lengthBytes;
    }

    @Override
    public int read(byte[] target, int from, int lengthBytes) throws IOException {
      int taken = left == 0 ? -1 : in.read(target, from, (int) Math.min(lengthBytes, left));
      left -= Math.max(0, taken);
      return taken;
    }
  }
}
