package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.list.ForeignObjects;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The parts that the JSON of all archive commands shares. */
public final class ArchiveJson {
  private ArchiveJson() {}

  /** Writes {@code name} as text; if it is not UTF-8, the exact bytes follow as {@code nameHex}. */
  public static void path(JsonGenerator json, String name, PosixPath path) throws IOException {
    json.writeStringField(name, path.decoded());
    if (!PosixPath.of(path.decoded()).equals(path)) {
      json.writeStringField(name + "Hex", HexFormat.of().formatHex(path.toBytes()));
    }
  }

  /** Writes {@code gaps}, {@code missing} and {@code damages}: what is wrong with a stream. */
  public static void faults(
      JsonGenerator json, List<StoredGap> gaps, List<ByteRange> missing, List<Damage> damages)
      throws IOException {
    json.writeArrayFieldStart("gaps");
    for (StoredGap gap : gaps) {
      json.writeStartObject();
      range(json, gap.range());
      json.writeStringField("reason", gap.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("missing");
    for (ByteRange range : missing) {
      json.writeStartObject();
      range(json, range);
      json.writeEndObject();
    }
    json.writeEndArray();
    damages(json, "damages", damages);
  }

  /** Writes an array of objects that are not what they should be. */
  public static void damages(JsonGenerator json, String name, List<Damage> damages)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Damage damage : damages) {
      json.writeStartObject();
      json.writeStringField("object", damage.key());
      json.writeStringField("kind", damage.kind().name().toLowerCase(Locale.ROOT));
      if (damage.offsetBytes().isPresent()) {
        json.writeNumberField("offsetBytes", damage.offsetBytes().getAsLong());
      }
      json.writeStringField("why", damage.why());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes {@code foreignObjects}: what else is at the destination. */
  public static void foreign(JsonGenerator json, ForeignObjects foreign) throws IOException {
    json.writeNumberField("foreignObjects", foreign.count());
  }

  static void range(JsonGenerator json, ByteRange range) throws IOException {
    json.writeNumberField("startBytes", range.startBytes());
    json.writeNumberField("endBytes", range.endBytes());
  }
}
