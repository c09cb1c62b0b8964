package dev.tailwater.archive.record;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import java.util.Optional;

/** Conversion of a {@link GapRecord} to and from JSON. */
public final class GapJson {
  private static final String FORMAT = "tailwater-gap";
  private static final String STREAM = "stream";
  private static final String START_BYTES = "start_bytes";
  private static final String END_BYTES = "end_bytes";
  private static final String REASON = "reason";
  private static final String AT_MILLIS = "at_millis";

  private GapJson() {}

  /** Returns the content of the object. */
  public static byte[] write(GapRecord record) {
    return JsonText.write(
        FORMAT,
        json -> {
          json.writeStringField(STREAM, record.stream().text());
          json.writeNumberField(START_BYTES, record.range().startBytes());
          json.writeNumberField(END_BYTES, record.range().endBytes());
          json.writeStringField(REASON, record.reason());
          json.writeNumberField(AT_MILLIS, record.atMillis());
        });
  }

  /**
   * Parses the content of an object.
   *
   * @param key the key of the object, for messages; if it is a name in an archive, the content must
   *     agree with it
   * @throws DamagedRecordException if the content is not what {@link #write} writes
   * @throws UnsupportedFormatException if the object was written by a newer version
   */
  public static GapRecord read(byte[] json, String key)
      throws DamagedRecordException, UnsupportedFormatException {
    JsonFields fields = JsonFields.read(json, key, FORMAT);
    StreamId stream = fields.stream(STREAM);
    long start = fields.number(START_BYTES, 0, Long.MAX_VALUE - 1);
    ByteRange range = new ByteRange(start, fields.number(END_BYTES, start + 1, Long.MAX_VALUE));
    Optional<ArchiveObject> name = ArchiveNames.parse(key);
    if (name.isPresent()
        && !(name.get() instanceof ArchiveObject.Gap gap
            && gap.stream().equals(stream)
            && gap.range().equals(range))) {
      throw fields.damaged(START_BYTES, "and the rest do not agree with the object's name");
    }
    String reason = fields.text(REASON);
    if (reason.length() > GapRecord.MAX_REASON_CHARACTERS) {
      throw fields.damaged(REASON, "is too long");
    }
    return new GapRecord(
        stream, range, reason, fields.number(AT_MILLIS, Long.MIN_VALUE, Long.MAX_VALUE));
  }
}
