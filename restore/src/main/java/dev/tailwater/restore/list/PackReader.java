package dev.tailwater.restore.list;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.open.PackSlice;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.destination.Destination;
import dev.tailwater.restore.PackedAt;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reader of single ranges of packs. Neighbours share units, and whoever restores a tree wants
 * neighbours one after the other, so it keeps the units that were used last, until all of their
 * bytes were written. Thread-safe.
 */
final class PackReader {
  /** Units up to this length are kept; a longer one is read through. */
  private static final int MAX_UNIT_BYTES = 4 << 20;

  /**
   * How many bytes of units are kept. Many packs with short units fit: files that grew slowly have
   * bytes in each of them.
   */
  private static final long MAX_KEPT_BYTES = 64L << 20;

  private final Destination destination;

  @GuardedBy("this")
  private final Map<Place, Kept> units = new LinkedHashMap<>(64, 0.75f, true);

  @GuardedBy("this")
  private long keptBytes;

  /**
   * A unit of a pack as it was opened, and of no other pack of that name: manifests may say where
   * units are that are not there.
   */
  private record Place(OpenedPack pack, int unit, long rawBytes) {
    // Written out, since it is asked for each file: what a record has by itself is slow before the
    // second compiler comes.
    @Override
    public int hashCode() {
      return 31 * pack.hashCode() + unit;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place place
          && pack == place.pack
          && unit == place.unit
          && rawBytes == place.rawBytes;
    }
  }

  /** A unit that was read, or is being read. */
  private static final class Kept {
    final Place place;
    final FutureTask<byte[]> task;

    /** How many bytes nobody has written yet; guarded by the reader. */
    long leftBytes;

    Kept(Place place, FutureTask<byte[]> task) {
      this.place = place;
      this.task = task;
      this.leftBytes = place.rawBytes;
    }

    /** Returns its bytes, once they were read. */
    byte[] bytes() {
      return task.resultNow();
    }
  }

  PackReader(Destination destination) {
    this.destination = destination;
  }

  /**
   * Writes the bytes of a range. They are verified when this returns.
   *
   * @throws DamagedSegmentException they do not have the checksum that the directory states
   * @throws IOException the object could not be read, or the bytes could not be written
   */
  void read(PackedAt at, OutputStream raw) throws IOException {
    OpenedPack pack = at.pack();
    int firstUnit = pack.firstUnit(at.index());
    int endUnit = pack.endUnit(at.index());
    for (int unit = firstUnit; unit < endUnit; unit++) {
      if (pack.directory().units().get(unit).rawBytes() > MAX_UNIT_BYTES) {
        readThrough(at, raw);
        return;
      }
    }
    if (endUnit == firstUnit + 1) {
      readFromOne(at, firstUnit, raw);
      return;
    }
    PackedRange range = at.range();
    // What is in memory anyway is checked before anybody sees it.
    boolean first = range.range().lengthBytes() <= MAX_KEPT_BYTES / 4;
    if (first) {
      check(at, OutputStream.nullOutputStream(), false);
    }
    check(at, raw, true);
  }

  /** Checks a range that a single unit holds, as most are, and then writes it. */
  private void readFromOne(PackedAt at, int unit, OutputStream raw) throws IOException {
    Kept read = unit(at.pack(), unit);
    ByteRange part = at.pack().partOf(at.index(), unit);
    CRC32C crc = new CRC32C();
    crc.update(read.bytes(), (int) part.startBytes(), (int) part.lengthBytes());
    requireSame(crc, at);
    raw.write(read.bytes(), (int) part.startBytes(), (int) part.lengthBytes());
    noteWritten(read, part.lengthBytes());
  }

  /**
   * Writes bytes, and checks them.
   *
   * @param isLast whether they are not read again
   */
  private void check(PackedAt at, OutputStream raw, boolean isLast) throws IOException {
    OpenedPack pack = at.pack();
    CRC32C crc = new CRC32C();
    for (int unit = pack.firstUnit(at.index()); unit < pack.endUnit(at.index()); unit++) {
      Kept read = unit(pack, unit);
      ByteRange part = pack.partOf(at.index(), unit);
      crc.update(read.bytes(), (int) part.startBytes(), (int) part.lengthBytes());
      raw.write(read.bytes(), (int) part.startBytes(), (int) part.lengthBytes());
      if (isLast) {
        noteWritten(read, part.lengthBytes());
      }
    }
    requireSame(crc, at);
  }

  private static void requireSame(CRC32C crc, PackedAt at) throws DamagedSegmentException {
    PackedRange range = at.range();
    if ((int) crc.getValue() != range.rawCrc32c()) {
      OpenedPack pack = at.pack();
      throw new DamagedSegmentException(
          pack.name().key(),
          pack.slice(at.index(), at.index() + 1).objectRange().startBytes(),
          "the bytes " + range.range() + " do not have the checksum that the directory states");
    }
  }

  private void readThrough(PackedAt at, OutputStream raw) throws IOException {
    PackSlice slice = at.pack().slice(at.index(), at.index() + 1);
    try (InputStream object = fetch(at.pack().name(), slice.objectRange())) {
      slice.read(
          object,
          new PackSlice.Sink() {
            @Override
            public void begin(PackedRange range) {}

            @Override
            public void accept(byte[] bytes, int lengthBytes) throws IOException {
              raw.write(bytes, 0, lengthBytes);
            }

            @Override
            public void end(PackedRange range) {}
          });
    }
  }

  private InputStream fetch(PackName name, ByteRange range) throws IOException {
    return new ListedBytes(
        destination.read(name.key(), range.startBytes(), range.lengthBytes()),
        destination.uri(),
        name.key(),
        range.lengthBytes());
  }

  /** Returns a unit; of several threads that want it at the same time, one reads it. */
  private Kept unit(OpenedPack pack, int unit) throws IOException {
    long rawBytes = pack.directory().units().get(unit).rawBytes();
    Place place = new Place(pack, unit, rawBytes);
    while (true) {
      Kept kept;
      boolean mine = false;
      synchronized (this) {
        Kept known = units.get(place);
        if (known == null) {
          known = new Kept(place, new FutureTask<>(() -> readUnit(pack, unit)));
          mine = true;
          units.put(place, known);
          keptBytes += rawBytes;
          dropOldest();
        }
        kept = known;
      }
      if (mine) {
        kept.task.run();
      }
      try {
        var _ = kept.task.get();
        return kept;
      } catch (ExecutionException e) {
        forget(kept);
        if (mine) {
          throw rethrown(Objects.requireNonNull(e.getCause()));
        }
      } catch (CancellationException e) {
        forget(kept);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for a unit");
      }
    }
  }

  /** Returns the failure of a task, or throws it if it is none that callers expect. */
  static IOException rethrown(Throwable cause) {
    return switch (cause) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(cause);
    };
  }

  @GuardedBy("this")
  private void dropOldest() {
    while (keptBytes > MAX_KEPT_BYTES && units.size() > 1) {
      Place oldest = units.keySet().iterator().next();
      units.remove(oldest);
      keptBytes -= oldest.rawBytes;
    }
  }

  private synchronized void forget(Kept kept) {
    if (units.remove(kept.place, kept)) {
      keptBytes -= kept.place.rawBytes;
    }
  }

  /** Forgets a unit when all of it is written, so that its memory is free at once. */
  private synchronized void noteWritten(Kept kept, long lengthBytes) {
    kept.leftBytes -= lengthBytes;
    if (kept.leftBytes <= 0) {
      forget(kept);
    }
  }

  private byte[] readUnit(OpenedPack pack, int unit) throws IOException {
    PackSlice slice = pack.unit(unit);
    try (InputStream object = fetch(pack.name(), slice.objectRange())) {
      return slice.readRaw(object, (int) pack.directory().units().get(unit).rawBytes());
    }
  }
}
