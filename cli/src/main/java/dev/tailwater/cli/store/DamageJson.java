package dev.tailwater.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreCheck.CheckedFile;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;

/** Damage of a store as JSON. */
public final class DamageJson {
  private DamageJson() {}

  /** Writes the fields of a damage. */
  public static void fields(JsonGenerator json, Damage damage) throws IOException {
    json.writeStringField("file", damage.file().fileName().toString());
    json.writeNumberField("offsetBytes", damage.offsetBytes());
    json.writeNumberField("lengthBytes", damage.lengthBytes());
    json.writeStringField("why", damage.why());
    json.writeNumberField("recordsAtMost", damage.recordsAtMost());
  }

  /** Writes the fields of a key. */
  public static void fields(JsonGenerator json, AffectedKey key) throws IOException {
    if (key.key().isPresent()) {
      EntryJson.bytes(json, EntryJson.KEY, key.key().get());
    } else {
      json.writeStringField("keyHash", HexFormat.of().toHexDigits(key.keyHash()));
    }
    json.writeStringField("effect", key.effect().name().toLowerCase(Locale.ROOT));
    json.writeStringField("certainty", key.certainty().name().toLowerCase(Locale.ROOT));
    json.writeStringField("file", key.damage().file().fileName().toString());
    json.writeNumberField("offsetBytes", key.damage().offsetBytes());
  }

  /** Writes the numbers of keys as fields. */
  public static void fields(JsonGenerator json, StoreCheck.Keys keys) throws IOException {
    json.writeNumberField("lost", keys.lost());
    json.writeNumberField("older", keys.older());
    json.writeNumberField("returned", keys.returned());
    json.writeNumberField("possible", keys.possible());
    json.writeNumberField("unnamedAtMost", keys.unnamedAtMost());
  }

  /** Writes an array of all files. */
  public static void files(JsonGenerator json, StoreCheck check) throws IOException {
    json.writeArrayFieldStart("files");
    for (CheckedFile file : check.files()) {
      json.writeStartObject();
      json.writeStringField("file", file.file().fileName().toString());
      json.writeStringField("role", file.role().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("sizeBytes", file.sizeBytes());
      json.writeNumberField("records", file.records());
      json.writeNumberField("tornBytes", file.tornBytes());
      json.writeNumberField("damages", file.damages().size());
      if (file.note().isPresent()) {
        json.writeStringField("note", file.note().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
