package dev.tailwater.archive.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.archive.sign.ObjectSigner;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A sealer that gathers ranges of many streams in one object. Short ranges are compressed together,
 * in units of up to {@link #blockBytes}; a unit never ends within a range that fits one.
 *
 * <pre>
 * staging: [room][age header, nonce][room][directory][signature][unit][unit]…[free]
 *                └ both move up to the units when their lengths are known
 * </pre>
 *
 * An array that {@link GrowingArray grows} has little room before the units; they move when the
 * front turns out to be longer.
 *
 * <p>One pack at a time: {@link #begin}; for each range {@link #beginRange}, {@link #append}, and
 * {@link #endRange} or {@link #dropRange}; then {@link #finish} or {@link #abandon}. Reusable, but
 * not thread-safe. {@link #close} frees native memory.
 */
public final class PackSealer implements AutoCloseable {
  private static final int BLOCK_BYTES = 1024 * 1024;

  private final PackFrontWriter front;
  private final BlockEncoder encoder;
  private final PackRoom room;
  private final byte[] block = new byte[BLOCK_BYTES];
  private final CRC32C crc = new CRC32C();
  private @Nullable OpenPack open;

  /** Creates a sealer that does not sign; see the other constructor. */
  public PackSealer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random) {
    this(codec, recipients, contentKey, random, Optional.empty());
  }

  /**
   * Creates a sealer.
   *
   * @param codec zstd or store: packs are never gzip
   * @param recipients the keys to encrypt to, at most {@value SegmentSealer#MAX_RECIPIENTS}; empty
   *     for no encryption
   * @param contentKey the key under which the agent can read the directory of an encrypted pack
   *     again; empty if it shall not
   * @param random the source of file keys and nonces
   * @param signer signs the packs; empty for no signature
   */
  public PackSealer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random,
      Optional<ObjectSigner> signer) {
    if (codec instanceof Codec.Gzip) {
      throw new IllegalArgumentException("packs are zstd frames, not " + codec);
    }
    if (recipients.size() > SegmentSealer.MAX_RECIPIENTS) {
      throw new IllegalArgumentException(
          recipients.size() + " recipients; at most " + SegmentSealer.MAX_RECIPIENTS);
    }
    this.front = new PackFrontWriter(recipients, contentKey, random, signer);
    this.encoder = BlockEncoders.create(codec, System::arraycopy);
    this.room = new PackRoom(front, encoder, BLOCK_BYTES);
  }

  /** Returns the greatest number of raw bytes that share a unit. */
  public int blockBytes() {
    return BLOCK_BYTES;
  }

  /**
   * Begins a pack.
   *
   * @param staging the array for the pack; belongs to the sealer until {@link #finish} or {@link
   *     #abandon}
   * @param frontBytes how much of it to keep for the directory and what comes before it
   */
  public void begin(byte[] staging, PackId id, int frontBytes) {
    begin(staging, id, frontBytes, List.of());
  }

  /**
   * Begins a pack in an array that grows with it.
   *
   * @param staging belongs to the sealer until {@link #finish} or {@link #abandon}; the pack is in
   *     the array that it is then
   * @param frontBytes how long the directory and what comes before it can get
   */
  public void begin(GrowingArray staging, PackId id, int frontBytes) {
    begin(staging, id, frontBytes, List.of());
  }

  /**
   * Begins a pack that is merged of others.
   *
   * @param carried the directories for the agent in the headers of those; ignored where nothing is
   *     encrypted
   */
  public void begin(byte[] staging, PackId id, int frontBytes, List<AgeStanza> carried) {
    begin(GrowingArray.of(staging), id, frontBytes, carried);
  }

  private void begin(GrowingArray staging, PackId id, int frontBytes, List<AgeStanza> carried) {
    if (open != null) {
      throw new IllegalStateException("a pack is open already: " + open.directory.id());
    }
    OpenPack begun = new OpenPack(staging, id, Math.min(frontBytes, staging.mostBytes()), carried);
    int emptyBytes = begun.directory.maxContentBytes(0, 0);
    if (begun.frontBytes < front.maxBytes(emptyBytes, 0, staging.mostBytes(), carried)) {
      throw new IllegalArgumentException(
          "a front of " + frontBytes + " bytes is too short even for an empty directory");
    }
    open = begun;
  }

  /**
   * Returns how much of a staging array must be kept for the directory and what comes before it.
   *
   * @param stagingBytes the length of the array
   */
  public int frontBytes(
      List<PackedStream> streams,
      List<StreamFact> facts,
      int ranges,
      int units,
      List<AgeStanza> carried,
      int stagingBytes) {
    int contentBytes = DirectoryDraft.maxContentBytes(streams, facts, ranges, units);
    return front.maxBytes(contentBytes, units, stagingBytes, carried);
  }

  /**
   * Returns how long the content of a directory could get if a pack was made anew that says the
   * same, at most; see {@link dev.tailwater.archive.pack.PackDirectoryFormat#MAX_CONTENT_BYTES}.
   * What directories and attributes take is not counted: such packs are not merged.
   */
  public static int maxContentBytes(PackDirectory directory) {
    return DirectoryDraft.maxContentBytes(directory);
  }

  /** Returns whether a range of this many raw bytes can be added, however badly it compresses. */
  public boolean hasRoomFor(long rawBytes) {
    return room.hasRoomFor(requireOpen(), 0, rawBytes);
  }

  /** Returns whether a stream can be described and then a range of this many raw bytes added. */
  public boolean hasRoomFor(PackedStream stream, long rawBytes) {
    OpenPack pack = requireOpen();
    return pack.directory.mayHaveAnotherStream()
        && room.hasRoomFor(pack, DirectoryDraft.maxBytes(stream), rawBytes);
  }

  /**
   * Returns whether there is room to describe a stream, and to end the range that is open. For a
   * range that is still to begin, ask {@link #hasRoomFor(PackedStream, long)}.
   */
  public boolean hasRoomFor(PackedStream stream) {
    OpenPack pack = requireOpen();
    return pack.directory.mayHaveAnotherStream()
        && pack.directory.mayHaveAnotherRange()
        && room.hasRoomToSay(pack, DirectoryDraft.maxBytes(stream), 1, 1);
  }

  /** Returns whether there is room for a fact. */
  public boolean hasRoomFor(StreamFact fact) {
    OpenPack pack = requireOpen();
    return pack.directory.mayHaveAnotherFact()
        && room.hasRoomToSay(pack, DirectoryDraft.maxBytes(fact));
  }

  /** Describes a stream, in any order. Of one that is described again, the last word counts. */
  public void describe(PackedStream stream) {
    requireRoom(hasRoomFor(stream));
    requireOpen().directory.add(stream);
  }

  /** Says something of a stream. */
  public void say(StreamFact fact) {
    requireRoom(hasRoomFor(fact));
    requireOpen().directory.add(fact);
  }

  /** Returns whether there is room for what is to be said of a directory or of attributes. */
  public boolean hasRoomFor(TreeStatement statement) {
    return room.hasRoomToSay(requireOpen(), DirectoryDraft.maxBytes(statement));
  }

  /** Returns how much of a front such a statement can take. */
  public static int maxBytes(TreeStatement statement) {
    return DirectoryDraft.maxBytes(statement);
  }

  /** Says something of a directory or of attributes: the pack then tells nothing else. */
  public void say(TreeStatement statement) {
    requireRoom(hasRoomFor(statement));
    requireOpen().directory.add(statement);
  }

  /** Notes that, with this pack, its group has stated every directory. */
  public void sayWhole() {
    requireOpen().directory.whole();
  }

  private static void requireRoom(boolean hasRoom) {
    if (!hasRoom) {
      throw new IllegalStateException("the directory is full; ask hasRoomFor first");
    }
  }

  /**
   * Begins a range. Those of one stream come in the order of their offsets; neighbours compress
   * best if they are alike.
   *
   * @param expectedBytes about how long it will be: one that fits a unit is not spread over two
   */
  public void beginRange(int number, long startBytes, long expectedBytes) {
    beginRange(number, startBytes, expectedBytes, 0);
  }

  /**
   * Begins a range that may replace bytes. Those of one stream and revision come in the order of
   * their offsets.
   *
   * @param expectedBytes about how long it will be: one that fits a unit is not spread over two
   * @param revision 0 for the first bytes there; a higher one replaces lower ones
   */
  public void beginRange(int number, long startBytes, long expectedBytes, long revision) {
    OpenPack pack = requireOpen();
    if (pack.range != null) {
      throw new IllegalStateException("a range is open already, of stream " + pack.range.number);
    }
    if (expectedBytes > BLOCK_BYTES - pack.blockBytes) {
      flush(pack);
    }
    crc.reset();
    pack.range = new OpenPack.Range(number, startBytes, revision, pack);
  }

  /** Adds the next bytes of the range. */
  public void append(byte[] raw, int from, int lengthBytes) {
    OpenPack pack = requireOpen();
    OpenPack.Range range = requireRange(pack);
    Objects.checkFromIndexSize(from, lengthBytes, raw.length);
    if (!hasRoomFor(lengthBytes)) {
      throw new IllegalStateException(
          "no room for " + lengthBytes + " more bytes in staging; ask hasRoomFor first");
    }
    Math.addExact(range.startBytes, range.rawBytes + lengthBytes);
    crc.update(raw, from, lengthBytes);
    range.rawBytes += lengthBytes;
    int at = from;
    int left = lengthBytes;
    while (left > 0) {
      if (pack.blockBytes == BLOCK_BYTES) {
        flush(pack);
      }
      int part = Math.min(left, BLOCK_BYTES - pack.blockBytes);
      System.arraycopy(raw, at, block, pack.blockBytes, part);
      pack.blockBytes += part;
      at += part;
      left -= part;
    }
  }

  /** Returns the number of raw bytes in the open range so far. */
  public long rangeBytes() {
    return requireRange(requireOpen()).rawBytes;
  }

  /**
   * Ends the range, which holds at least one byte.
   *
   * @param modificationTimeNanos the file's mtime, nanoseconds since 1970
   * @return the range
   */
  public PackedRange endRange(long modificationTimeNanos) {
    return endRange(modificationTimeNanos, 0);
  }

  /**
   * The same for a range that is older than the pack.
   *
   * @param olderMillis how long before the pack it was sealed
   */
  public PackedRange endRange(long modificationTimeNanos, long olderMillis) {
    OpenPack pack = requireOpen();
    OpenPack.Range range = requireRange(pack);
    PackedRange ended =
        new PackedRange(
            range.number,
            new ByteRange(range.startBytes, range.startBytes + range.rawBytes),
            (int) crc.getValue(),
            modificationTimeNanos,
            range.revision,
            olderMillis);
    pack.directory.add(ended);
    pack.range = null;
    return ended;
  }

  /**
   * Takes the open range out of the pack again.
   *
   * @throws IllegalStateException when bytes of an earlier range share a unit with it
   */
  public void dropRange() {
    OpenPack pack = requireOpen();
    OpenPack.Range range = requireRange(pack);
    if (pack.directory.unitCount() > range.unitsBefore && range.blockBytesBefore > 0) {
      throw new IllegalStateException("the range is longer than was expected, and spread");
    }
    pack.directory.keepUnits(range.unitsBefore);
    pack.end = range.endBefore;
    pack.blockBytes = range.blockBytesBefore;
    pack.range = null;
  }

  private void flush(OpenPack pack) {
    if (pack.blockBytes > 0) {
      pack.extend(
          Math.min(
              encoder.maxEncodedBytes(pack.blockBytes),
              pack.array.mostBytes() - pack.takenBytes()));
      int length = encoder.encode(block, 0, pack.blockBytes, pack.staging, pack.end);
      pack.directory.add(new PackUnit(pack.blockBytes, length));
      pack.end += length;
      pack.blockBytes = 0;
    }
  }

  /** Returns whether nothing was added yet. */
  public boolean isEmpty() {
    return requireOpen().directory.isEmpty();
  }

  /** Returns the number of staging bytes that the units take so far. */
  public int encodedBytes() {
    OpenPack pack = requireOpen();
    return pack.end - pack.dataFrom;
  }

  /**
   * Writes the directory, encrypts, and ends the pack.
   *
   * @param sealedAtMillis the current time, milliseconds since 1970
   */
  public SealedPack finish(long sealedAtMillis) {
    return finish(sealedAtMillis, Optional.empty());
  }

  /**
   * The same, and keeps what the pack is without encryption.
   *
   * @param keeper receives a copy
   */
  public SealedPack finish(long sealedAtMillis, Consumer<PlainPack> keeper) {
    return finish(sealedAtMillis, Optional.of(keeper));
  }

  private SealedPack finish(long sealedAtMillis, Optional<Consumer<PlainPack>> keeper) {
    OpenPack pack = requireOpen();
    if (pack.range != null) {
      throw new IllegalStateException("a range is open, of stream " + pack.range.number);
    }
    flush(pack);
    pack.moveUnitsBehind(room.frontBytes(pack));
    PackFrontWriter.Units units = new PackFrontWriter.Units(pack.staging, pack.dataFrom, pack.end);
    SealedPack sealed =
        front.write(units, pack.directory.finish(sealedAtMillis), pack.carried, keeper);
    open = null;
    return sealed;
  }

  /** Discards the open pack, if there is one. */
  public void abandon() {
    open = null;
  }

  private OpenPack requireOpen() {
    if (open == null) {
      throw new IllegalStateException("no pack is open");
    }
    return open;
  }

  private static OpenPack.Range requireRange(OpenPack pack) {
    if (pack.range == null) {
      throw new IllegalStateException("no range is open");
    }
    return pack.range;
  }

  @Override
  public void close() {
    open = null;
    encoder.close();
  }
}
