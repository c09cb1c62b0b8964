package dev.tailwater.restore.compact;

import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackDirectoryFormat;
import dev.tailwater.archive.seal.PackSealer;
import java.util.ArrayList;
import java.util.List;

/** Which neighbouring packs of a group become one. */
final class PackChunks {
  /** A merged pack is made of at most this much; a longer pack stays as it is. */
  static final long MOST_BYTES = 32L << 20;

  /** The packs of which something stays have at most this much: they are in memory. */
  static final long MOST_READ_BYTES = 2 * MOST_BYTES;

  /** The same as {@link #MOST_BYTES} in raw bytes. */
  static final long MOST_RAW_BYTES = 256L << 20;

  /**
   * The most streams, ranges and facts of packs that become one. They are in memory while that is
   * made, and again wherever it is read.
   */
  private static final long MOST_ENTRIES = 200_000;

  /** The same as a length: no directory can be longer. */
  private static final long MOST_CONTENT_BYTES = PackDirectoryFormat.MAX_CONTENT_BYTES;

  private PackChunks() {}

  /** What the directories of some packs tell. */
  record Told(long entries, long contentBytes) {
    static final Told NOTHING = new Told(0, 0);

    Told with(StoredPack pack) {
      PackDirectory directory = pack.opened().directory();
      return new Told(
          entries
              + directory.streams().size()
              + directory.ranges().size()
              + directory.facts().size(),
          contentBytes + PackSealer.maxContentBytes(directory));
    }

    /** Returns whether the directory of one pack made of them would be short enough. */
    boolean fits() {
      return entries <= MOST_ENTRIES && contentBytes <= MOST_CONTENT_BYTES;
    }
  }

  /**
   * Returns the packs that are to be merged with each other: two or more each.
   *
   * @param packs in their order, none covered by another one
   * @param cover what is left out of them
   */
  static List<List<StoredPack>> of(List<StoredPack> packs, SegmentCover cover) {
    List<List<StoredPack>> chunks = new ArrayList<>();
    List<StoredPack> chunk = new ArrayList<>();
    Size size = Size.NONE;
    for (StoredPack pack : packs) {
      Size with = size.with(pack, cover);
      if (!chunk.isEmpty() && !(with.fits() && follows(chunk.getLast(), pack))) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
        with = Size.NONE.with(pack, cover);
      }
      chunk.add(pack);
      size = with;
    }
    chunks.add(chunk);
    return chunks.stream().filter(one -> one.size() > 1).toList();
  }

  /**
   * How much some packs are.
   *
   * @param bytes about how long what stays of them is
   * @param rawBytes how many raw bytes of them stay
   * @param readBytes how long those are of which something stays
   * @param told what their directories tell
   */
  private record Size(long bytes, long rawBytes, long readBytes, Told told) {
    static final Size NONE = new Size(0, 0, 0, Told.NOTHING);

    Size with(StoredPack pack, SegmentCover cover) {
      return new Size(
          bytes + cover.keptObjectBytes(pack),
          rawBytes + cover.keptRawBytes(pack),
          readBytes + (cover.coversAllOf(pack) ? 0 : pack.objectBytes()),
          told.with(pack));
    }

    boolean fits() {
      return bytes <= MOST_BYTES
          && rawBytes <= MOST_RAW_BYTES
          && readBytes <= MOST_READ_BYTES
          && told.fits();
    }
  }

  private static boolean follows(StoredPack before, StoredPack next) {
    return next.name().id().first() <= before.name().id().last() + 1
        && next.name().encrypted() == before.name().encrypted();
  }
}
