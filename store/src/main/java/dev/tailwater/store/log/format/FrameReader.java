package dev.tailwater.store.log.format;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.files.StoreFileReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a log or snapshot, frame by frame, which tells a torn tail from damage. The rules are
 * in docs/store-format.md, "Torn tail or damage". They rest on one fact: a frame is written only
 * when everything before it is durable, so only the last frame of the last log can be torn.
 */
public final class FrameReader {
  private static final int SCAN_BYTES = 256 * 1024;
  private static final int LENGTH = FrameHeader.LENGTH_BYTES;

  private final StoreFileReader reader;
  private final FileHeader header;

  private FrameReader(StoreFileReader reader, FileHeader header) {
    this.reader = reader;
    this.header = header;
  }

  /** Opens a file by its header, which must be whole. */
  public static FrameReader open(StoreFileReader reader, LogFileName name) throws IOException {
    if (reader.sizeBytes() < FileHeader.LENGTH_BYTES) {
      throw new DamagedStoreException(reader.file(), 0, "the file is shorter than its header");
    }
    byte[] bytes = reader.read(0, FileHeader.LENGTH_BYTES);
    return new FrameReader(reader, FileHeader.parse(bytes, name, reader.file()));
  }

  public FileHeader header() {
    return header;
  }

  /**
   * The contents of a file.
   *
   * @param frames number of whole frames
   * @param endBytes end of the last whole frame
   * @param lastFrame the last whole frame; empty when there is none
   * @param lastFrameOffsetBytes where it begins; 0 when there is none
   * @param torn why the bytes from {@code endBytes} on are no frame; empty when there are none
   */
  public record Extent(
      long frames,
      long endBytes,
      Optional<FrameHeader> lastFrame,
      long lastFrameOffsetBytes,
      Optional<String> torn) {

    public boolean isSealed() {
      return torn.isEmpty() && lastFrame.map(FrameHeader::kind).equals(Optional.of(FrameKind.SEAL));
    }
  }

  /** Visits every whole frame up to a torn one; throws where the file is damaged. */
  public Extent readAll(FrameVisitor visitor) throws IOException {
    long offset = FileHeader.LENGTH_BYTES;
    long frames = 0;
    long lastOffset = 0;
    @Nullable FrameHeader last = null;
    Optional<String> torn = Optional.empty();
    while (offset < reader.sizeBytes()) {
      Optional<FrameHeader> frame = headerAt(offset);
      torn = whyTorn(frame, offset);
      if (torn.isPresent()) {
        break;
      }
      FrameHeader whole = frame.orElseThrow();
      byte[] payload = reader.read(offset + LENGTH, whole.payloadBytes());
      if (crc(payload) != whole.payloadCrc()) {
        torn = Optional.of(lastOrDamaged(offset, whole));
        break;
      }
      visitor.frame(whole, payload, offset);
      frames++;
      last = whole;
      lastOffset = offset;
      offset += LENGTH + (long) whole.payloadBytes();
    }
    return new Extent(frames, offset, Optional.ofNullable(last), lastOffset, torn);
  }

  private Optional<FrameHeader> headerAt(long offset) throws IOException {
    if (reader.sizeBytes() - offset < LENGTH) {
      return Optional.empty();
    }
    return FrameHeader.parse(reader.read(offset, LENGTH), 0, header.salt(), offset);
  }

  private Optional<String> whyTorn(Optional<FrameHeader> frame, long offset) throws IOException {
    long rest = reader.sizeBytes() - offset;
    String why;
    if (frame.isEmpty()) {
      why = "no frame header";
    } else if (LENGTH + (long) frame.get().payloadBytes() > rest) {
      why = "the file ends within a frame";
    } else {
      return Optional.empty();
    }
    OptionalLong later = nextHeader(offset + 1);
    if (later.isPresent()) {
      throw damaged(offset, why + ", but another frame begins at " + later.getAsLong());
    }
    if (rest > LENGTH + (long) FrameHeader.MAX_PAYLOAD_BYTES) {
      throw damaged(offset, why + ", and " + rest + " bytes are more than one frame can have");
    }
    return Optional.of(why);
  }

  private String lastOrDamaged(long offset, FrameHeader frame) throws DamagedStoreException {
    String why = "a frame's checksum is wrong";
    long end = offset + LENGTH + frame.payloadBytes();
    if (end < reader.sizeBytes()) {
      throw damaged(offset, why + ", but the file goes on behind the frame at " + end);
    }
    return why;
  }

  public DamagedStoreException damaged(long offset, String why) {
    return new DamagedStoreException(reader.file(), offset, why);
  }

  /** Tries every offset once; headers are bound to their offset, so values cannot imitate one. */
  private OptionalLong nextHeader(long fromOffset) throws IOException {
    long start = fromOffset;
    while (reader.sizeBytes() - start >= LENGTH) {
      byte[] bytes = reader.read(start, (int) Math.min(SCAN_BYTES, reader.sizeBytes() - start));
      for (int i = 0; i + LENGTH <= bytes.length; i++) {
        if (FrameHeader.mayBeginAt(bytes, i)
            && FrameHeader.parse(bytes, i, header.salt(), start + i).isPresent()) {
          return OptionalLong.of(start + i);
        }
      }
      start += bytes.length - LENGTH + 1;
    }
    return OptionalLong.empty();
  }

  private static int crc(byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload, 0, payload.length);
    return (int) crc.getValue();
  }
}
