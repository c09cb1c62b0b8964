package dev.tailwater.store.log.salvage;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.files.SaltSolver;
import dev.tailwater.store.files.StoreFileReader;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.log.format.FrameKind;
import dev.tailwater.store.log.format.FrameReader;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.format.OperationCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A reader of every whole frame of a log or snapshot, also behind damage, where it tries every
 * offset for the next frame header: headers are bound to file and place by their checksum. Does not
 * recognize torn tails.
 */
final class FrameSalvage {
  private static final int SCAN_BYTES = 256 * 1024;
  private static final int LENGTH = FrameHeader.LENGTH_BYTES;
  private static final int CRC_OFFSET = 28;

  private final StoreFileReader reader;
  private final Optional<FileHeader> header;
  private final Optional<String> headerProblem;
  private final OptionalLong salt;

  private FrameSalvage(
      StoreFileReader reader,
      Optional<FileHeader> header,
      Optional<String> headerProblem,
      OptionalLong salt) {
    this.reader = reader;
    this.header = header;
    this.headerProblem = headerProblem;
    this.salt = salt;
  }

  /**
   * Opens a file by its header or, where that is damaged, by the frame behind it.
   *
   * @throws UnsupportedStoreFormatException when a newer program wrote it
   */
  static FrameSalvage open(StoreFileReader reader, LogFileName name) throws IOException {
    try {
      FileHeader header = FrameReader.open(reader, name).header();
      return new FrameSalvage(
          reader, Optional.of(header), Optional.empty(), OptionalLong.of(header.salt()));
    } catch (DamagedStoreException damaged) {
      return new FrameSalvage(
          reader, Optional.empty(), Optional.of(damaged.why()), saltOfFirstFrame(reader));
    }
  }

  private static OptionalLong saltOfFirstFrame(StoreFileReader reader) throws IOException {
    long offset = FileHeader.LENGTH_BYTES;
    if (reader.sizeBytes() - offset < LENGTH) {
      return OptionalLong.empty();
    }
    byte[] head = reader.read(offset, LENGTH);
    byte[] checked =
        ByteBuffer.allocate(2 * Long.BYTES + CRC_OFFSET)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0)
            .putLong(offset)
            .put(head, 0, CRC_OFFSET)
            .array();
    int checksum = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(CRC_OFFSET);
    long salt = SaltSolver.solve(checked, checksum);
    Optional<FrameHeader> frame = FrameHeader.parse(head, 0, salt, offset);
    boolean whole =
        frame.isPresent()
            && frame.get().payloadBytes() <= reader.sizeBytes() - offset - LENGTH
            && isWhole(frame.get(), reader.read(offset + LENGTH, frame.get().payloadBytes()));
    return whole ? OptionalLong.of(salt) : OptionalLong.empty();
  }

  /** Returns the file's header, unless it is damaged. */
  Optional<FileHeader> header() {
    return header;
  }

  /** Returns what is wrong with the header. */
  Optional<String> headerProblem() {
    return headerProblem;
  }

  PosixPath file() {
    return reader.file();
  }

  /** Receives what is found, in order. */
  interface Visitor {
    /** A whole frame. */
    void whole(FrameHeader frame, List<Operation> operations, long offsetBytes) throws IOException;

    /**
     * Receives a range without a whole frame.
     *
     * @param frame the header at its beginning, where that is whole; then the range is one frame
     * @param guessed operations that seem to be in it, as far as they can be read
     */
    void gap(
        long fromBytes,
        long toBytes,
        String why,
        Optional<FrameHeader> frame,
        List<Operation> guessed)
        throws IOException;
  }

  /** Visits everything behind the file header. */
  void scan(Visitor visitor) throws IOException {
    long end = reader.sizeBytes();
    long at = Math.min(FileHeader.LENGTH_BYTES, end);
    if (salt.isEmpty()) {
      if (at < end) {
        visitor.gap(at, end, headerProblem.orElse("no frame"), Optional.empty(), List.of());
      }
      return;
    }
    while (at < end) {
      Optional<FrameHeader> frame = headerAt(at, end);
      if (frame.isEmpty()) {
        long next = nextHeader(at + 1, end);
        visitor.gap(at, next, "no frame", frame, List.of());
        at = next;
        continue;
      }
      FrameHeader found = frame.get();
      int length = (int) Math.min(found.payloadBytes(), end - at - LENGTH);
      byte[] payload = reader.read(at + LENGTH, length);
      long next = at + LENGTH + length;
      if (length < found.payloadBytes()) {
        visitor.gap(at, next, "the file ends within a frame", frame, guess(found, payload));
      } else if (!isWhole(found, payload)) {
        visitor.gap(at, next, "a frame's checksum is wrong", frame, guess(found, payload));
      } else {
        give(found, payload, at, next, visitor);
      }
      at = next;
    }
  }

  private static void give(FrameHeader frame, byte[] payload, long at, long next, Visitor visitor)
      throws IOException {
    List<Operation> operations = List.of();
    try {
      if (frame.kind() == FrameKind.OPERATIONS) {
        operations = OperationCodec.decode(payload, frame.operations());
      }
    } catch (OperationCodec.MalformedPayloadException malformed) {
      String why = malformed.getMessage() + ", though the checksum is right";
      visitor.gap(at, next, why, Optional.of(frame), List.of());
      return;
    }
    visitor.whole(frame, operations, at);
  }

  private static List<Operation> guess(FrameHeader frame, byte[] payload) {
    return frame.kind() == FrameKind.OPERATIONS
        ? OperationCodec.decodeWhatCanBe(payload, frame.operations())
        : List.of();
  }

  private Optional<FrameHeader> headerAt(long offset, long end) throws IOException {
    return end - offset < LENGTH
        ? Optional.empty()
        : FrameHeader.parse(reader.read(offset, LENGTH), 0, salt.getAsLong(), offset);
  }

  private long nextHeader(long fromOffset, long end) throws IOException {
    long start = fromOffset;
    while (end - start >= LENGTH) {
      byte[] bytes = reader.read(start, (int) Math.min(SCAN_BYTES, end - start));
      for (int i = 0; i + LENGTH <= bytes.length; i++) {
        if (FrameHeader.mayBeginAt(bytes, i)
            && FrameHeader.parse(bytes, i, salt.getAsLong(), start + i).isPresent()) {
          return start + i;
        }
      }
      start += bytes.length - LENGTH + 1;
    }
    return end;
  }

  private static boolean isWhole(FrameHeader frame, byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload, 0, payload.length);
    return (int) crc.getValue() == frame.payloadCrc();
  }
}
