package dev.tailwater.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.StoreCheck;
import java.io.IOException;
import java.io.OutputStream;

/** The report of a repair as lines of JSON, which is durable before anything is changed. */
public final class RepairReport implements RepairListener, AutoCloseable {
  private final JsonGenerator json;
  private final TerminalProgress progress;
  private final Durable durable;
  private boolean begun;

  /** Makes the report durable. */
  @FunctionalInterface
  public interface Durable {
    void sync() throws IOException;
  }

  /** Creates a report on this output, which stays open. */
  public RepairReport(OutputStream out, TerminalProgress progress, Durable durable)
      throws IOException {
    this.json = Json.generator(out);
    this.json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    this.json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    this.progress = progress;
    this.durable = durable;
  }

  @Override
  public void damage(Damage damage) throws IOException {
    begin("damage");
    DamageJson.fields(json, damage);
    json.writeEndObject();
  }

  @Override
  public void key(AffectedKey key) throws IOException {
    begin("key");
    DamageJson.fields(json, key);
    json.writeEndObject();
  }

  @Override
  public void progress(long doneBytes, long ofBytes) {
    progress.at(doneBytes, ofBytes);
  }

  @Override
  public void beforeChange() throws IOException {
    json.flush();
    durable.sync();
  }

  private void begin(String type) throws IOException {
    begun = true;
    json.writeStartObject();
    json.writeStringField("type", type);
  }

  /** Writes the last line. */
  public void summary(StoreCheck.Keys keys) throws IOException {
    begin("summary");
    DamageJson.fields(json, keys);
    json.writeEndObject();
  }

  @Override
  public void close() throws IOException {
    if (begun) {
      json.writeRaw('\n');
    }
    json.close();
  }
}
