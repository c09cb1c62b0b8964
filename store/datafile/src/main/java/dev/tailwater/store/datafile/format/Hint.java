package dev.tailwater.store.datafile.format;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.Optional;

/**
 * The hint of a data file: its records in their order, without keys and values, as far as the file
 * was durable, so that opening need not read the data file. A hint of the older form has the newest
 * record of each hash, by ascending hash; where keys share a hash, all their records, in order.
 */
public final class Hint {
  private Hint() {}

  /** Adds the records of a data file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(HintWriter out) throws IOException;
  }

  /** Writes a hint durably, from front to back; leaves nothing when it fails. */
  public static void write(StoreDirectory directory, FileHeader data, long salt, Content content)
      throws IOException {
    FileHeader header = new FileHeader(FileHeader.FileType.HINT, data.name(), data.store(), salt);
    DerivedFile.write(
        directory,
        data.name().hintPath(),
        header,
        out -> {
          HintWriter writer = new HintWriter(data, HintWriter.MAX_BLOCK_BYTES, () -> out);
          content.writeTo(writer);
          writer.flush();
        });
  }

  /**
   * Reads the hint of this data file; empty when there is none for it, or none of use, which may be
   * found out when much has been visited.
   *
   * @param dataBytes length of the data file
   * @throws DamagedStoreException when the data file has become shorter since
   */
  public static Optional<HintSummary> read(
      StoreDirectory directory, FileHeader data, long dataBytes, HintVisitor visitor)
      throws IOException {
    long[] longest = new long[1];
    Acceptance acceptance =
        (said, older) -> {
          if (said.dataSalt() != data.salt()) {
            return false;
          }
          longest[0] = said.dataBytes();
          return older ? said.dataBytes() == dataBytes : said.dataBytes() <= dataBytes;
        };
    Optional<HintSummary> summary = read(directory, data, acceptance, visitor);
    if (longest[0] > dataBytes) {
      throw new DamagedStoreException(
          directory.pathOf(data.name().path()),
          dataBytes,
          "the file ends, and its hint says that it had " + longest[0] + " bytes");
    }
    return summary;
  }

  /**
   * Reads the hint of a data file that may be damaged, or be missing; what it says of the data file
   * is not compared with it. Empty when there is none that is whole; then the visitor may have been
   * given some records.
   */
  public static Optional<HintSummary> readAlone(
      StoreDirectory directory,
      DataFileName name,
      FileHeader.StoreIdentity store,
      HintVisitor visitor)
      throws IOException {
    FileHeader data = new FileHeader(FileHeader.FileType.DATA, name, store, 0);
    return read(directory, data, (said, older) -> true, visitor);
  }

  /** The store that the hint of this data file belongs to; empty when there is none to be read. */
  public static Optional<FileHeader.StoreIdentity> storeOf(
      StoreDirectory directory, DataFileName name) throws IOException {
    return DerivedFile.storeOf(directory, name.hintPath(), FileHeader.FileType.HINT, name);
  }

  @FunctionalInterface
  private interface Acceptance {
    boolean accepts(HintSummary said, boolean older);
  }

  private static Optional<HintSummary> read(
      StoreDirectory directory, FileHeader data, Acceptance acceptance, HintVisitor visitor)
      throws IOException {
    return DerivedFile.read(
        directory,
        data.name().hintPath(),
        FileHeader.FileType.HINT,
        data,
        in -> {
          if (!in.next()) {
            return Optional.empty();
          }
          if (in.kind() != BlockKind.SUMMARY) {
            return HintReader.read(in, said -> acceptance.accepts(said, false), visitor);
          }
          Optional<HintSummary> summary =
              summary(in).filter(said -> acceptance.accepts(said, true));
          if (summary.isEmpty()) {
            return Optional.empty();
          }
          long indexTags = in.remaining() == 0 ? 0 : in.nextLong();
          return readContents(in, summary.get().dataBytes(), indexTags, visitor)
              ? summary
              : Optional.empty();
        });
  }

  private static Optional<HintSummary> summary(BlockReader in) {
    if (in.remaining() < 5) {
      return Optional.empty();
    }
    return Optional.of(
        new HintSummary(
            in.nextLong(), in.nextLong(), true, in.nextLong(), in.nextLong(), in.nextLong()));
  }

  private static boolean readContents(
      BlockReader in, long dataBytes, long labelCount, HintVisitor visitor) throws IOException {
    boolean anyLabelled = false;
    boolean more = in.next();
    while (more && in.kind() == BlockKind.ENTRIES) {
      while (in.remaining() >= 2) {
        long hash = in.nextLong();
        long word = in.nextLong();
        if (Location.offsetBytes(word) < dataBytes) {
          int flags = Location.file(word) & ~HintWriter.PRESENT;
          anyLabelled |= (flags & (RecordHeader.TAGS | RecordHeader.EXPIRY)) != 0;
          visitor.record(hash, flags, word);
        }
      }
      more = in.next();
    }
    // A hint from before there were index tags is useless for records that have some.
    return TagBlocks.read(in, more, visitor::indexTag) == labelCount
        && (labelCount > 0 || !anyLabelled);
  }
}
