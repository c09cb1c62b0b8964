package dev.tailwater.archive.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Conversion of a {@link StreamRecord} to and from JSON. */
public final class StreamJson {
  private static final String FORMAT = "tailwater-stream";
  private static final String STREAM = "stream";
  private static final String BIRTH_PATH = "birth_path";
  private static final String PATHS = "paths";
  private static final String PATH = "path";
  private static final String SINCE_MILLIS = "since_millis";
  private static final String ARRIVAL_NANOS = "arrival_nanos";
  private static final String END = "end";
  private static final String REASON = "reason";
  private static final String AT_MILLIS = "at_millis";
  private static final String SIZE_BYTES = "size_bytes";
  private static final String PERMISSIONS = "permissions";
  private static final String MODIFICATION_TIME_NANOS = "modification_time_nanos";
  private static final String CHANGED_IN_PLACE = "changed_in_place";
  private static final String OWNER = "owner";
  private static final String USER_ID = "uid";
  private static final String GROUP_ID = "gid";
  private static final String USER = "user";
  private static final String GROUP = "group";

  private StreamJson() {}

  /** Returns the content of the object. */
  public static byte[] write(StreamRecord record) {
    return JsonText.write(FORMAT, json -> writeFields(record, json));
  }

  private static void writeFields(StreamRecord record, JsonGenerator json) throws IOException {
    json.writeStringField(STREAM, record.stream().text());
    JsonPaths.write(json, BIRTH_PATH, record.birthPath());
    json.writeArrayFieldStart(PATHS);
    for (StreamRecord.KnownPath known : record.paths()) {
      json.writeStartObject();
      JsonPaths.write(json, PATH, known.path());
      json.writeNumberField(SINCE_MILLIS, known.sinceMillis());
      if (known.arrivalNanos().isPresent()) {
        json.writeNumberField(ARRIVAL_NANOS, known.arrivalNanos().getAsLong());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    if (record.end().isPresent()) {
      StreamRecord.End end = record.end().get();
      json.writeObjectFieldStart(END);
      json.writeStringField(REASON, reasonText(end.reason()));
      json.writeNumberField(SIZE_BYTES, end.sizeBytes());
      json.writeNumberField(AT_MILLIS, end.atMillis());
      json.writeEndObject();
    }
    json.writeNumberField(SIZE_BYTES, record.sizeBytes());
    json.writeStringField(PERMISSIONS, permissionsText(record.permissions()));
    json.writeNumberField(MODIFICATION_TIME_NANOS, record.modificationTimeNanos());
    if (record.changedInPlace()) {
      json.writeBooleanField(CHANGED_IN_PLACE, true);
    }
    if (record.owner().isPresent()) {
      writeOwner(record.owner().get(), json);
    }
  }

  private static void writeOwner(FileOwner owner, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(OWNER);
    json.writeNumberField(USER_ID, owner.userId());
    json.writeNumberField(GROUP_ID, owner.groupId());
    json.writeStringField(USER, owner.user());
    json.writeStringField(GROUP, owner.group());
    json.writeEndObject();
  }

  private static FileOwner readOwner(JsonFields owner) throws DamagedRecordException {
    return new FileOwner(
        owner.number(USER_ID, 0, FileOwner.MAX_ID),
        owner.number(GROUP_ID, 0, FileOwner.MAX_ID),
        readName(owner, USER),
        readName(owner, GROUP));
  }

  private static String readName(JsonFields owner, String field) throws DamagedRecordException {
    String name = owner.text(field);
    if (name.getBytes(UTF_8).length > FileOwner.MAX_NAME_BYTES || name.indexOf('\0') >= 0) {
      throw owner.damaged(field, "is not a name");
    }
    return name;
  }

  /**
   * Parses the content of an object.
   *
   * @param key the key of the object, for messages; if it is a name in an archive, the content must
   *     agree with it
   * @throws DamagedRecordException if the content is not what {@link #write} writes
   * @throws UnsupportedFormatException if the object was written by a newer version
   */
  public static StreamRecord read(byte[] json, String key)
      throws DamagedRecordException, UnsupportedFormatException {
    JsonFields fields = JsonFields.read(json, key, FORMAT);
    StreamId stream = fields.stream(STREAM);
    Optional<ArchiveObject> name = ArchiveNames.parse(key);
    if (name.isPresent() && !name.get().stream().equals(stream)) {
      throw fields.damaged(STREAM, "is not the stream of the object's name");
    }
    List<StreamRecord.KnownPath> paths = new ArrayList<>();
    for (JsonFields known : fields.objects(PATHS, StreamRecord.MAX_PATHS)) {
      paths.add(
          new StreamRecord.KnownPath(
              known.path(PATH),
              known.number(SINCE_MILLIS, Long.MIN_VALUE, Long.MAX_VALUE),
              known.optionalNumber(ARRIVAL_NANOS, Long.MIN_VALUE, Long.MAX_VALUE)));
    }
    Optional<JsonFields> end = fields.object(END);
    Optional<JsonFields> owner = fields.object(OWNER);
    return new StreamRecord(
        stream,
        fields.path(BIRTH_PATH),
        paths,
        end.isPresent() ? Optional.of(readEnd(end.get())) : Optional.empty(),
        fields.number(SIZE_BYTES, 0, Long.MAX_VALUE),
        permissions(fields),
        fields.number(MODIFICATION_TIME_NANOS, Long.MIN_VALUE, Long.MAX_VALUE),
        fields.isTrue(CHANGED_IN_PLACE),
        owner.isPresent() ? Optional.of(readOwner(owner.get())) : Optional.empty());
  }

  private static StreamRecord.End readEnd(JsonFields end) throws DamagedRecordException {
    String text = end.text(REASON);
    for (StreamRecord.EndReason reason : StreamRecord.EndReason.values()) {
      if (reasonText(reason).equals(text)) {
        return new StreamRecord.End(
            reason,
            end.number(SIZE_BYTES, 0, Long.MAX_VALUE),
            end.number(AT_MILLIS, Long.MIN_VALUE, Long.MAX_VALUE));
      }
    }
    throw end.damaged(REASON, "is not a reason for a stream's end");
  }

  private static int permissions(JsonFields fields) throws DamagedRecordException {
    String text = fields.text(PERMISSIONS);
    if (!text.matches("0[0-7]{1,4}")) {
      throw fields.damaged(PERMISSIONS, "are not octal mode bits");
    }
    int permissions = Integer.parseInt(text, 8);
    if (!permissionsText(permissions).equals(text)) {
      throw fields.damaged(PERMISSIONS, "are not octal mode bits");
    }
    return permissions;
  }

  private static String permissionsText(int permissions) {
    return String.format(Locale.ROOT, "0%03o", permissions);
  }

  private static String reasonText(StreamRecord.EndReason reason) {
    return switch (reason) {
      case DELETED -> "deleted";
      case TRUNCATED -> "truncated";
      case MOVED_AWAY -> "moved_away";
      case VANISHED -> "vanished";
    };
  }
}
