package dev.tailwater.cli.rehearse;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of a rehearsal.
 *
 * @param bytesPerSecond what was written in fact, in the scene where it was least
 */
public record RehearsalReport(RehearsalPlan plan, long bytesPerSecond, List<SceneResult> scenes) {
  /** If less than this part of the wanted rate was written, the report says so. */
  private static final double NEARLY = 0.9;

  public RehearsalReport {
    scenes = List.copyOf(scenes);
  }

  /** Returns {@link ExitCode#PARTIAL} if a promise was not kept. */
  public ExitCode exitCode() {
    return scenes.stream().allMatch(SceneResult::holds) ? ExitCode.DONE : ExitCode.PARTIAL;
  }

  /** For people. */
  public void print(PrintStream out) {
    Table table =
        new Table("WHAT", ">AT RISK", ">LOST", ">DELIVERED IN", ">LIMIT", "HOLDS", "REMARK");
    for (SceneResult scene : scenes) {
      table.row(
          scene.name(),
          ByteSizes.forPeople(scene.atRiskBytes()),
          ByteSizes.forPeople(scene.lostBytes()),
          seconds(scene.took()),
          seconds(scene.limit()),
          scene.holds() ? "yes" : "NO",
          scene.remark());
    }
    table.print(out);
  }

  /** Returns the result in one sentence. */
  public String sentence() {
    long held = scenes.stream().filter(SceneResult::holds).count();
    String rate = ByteSizes.forPeople(bytesPerSecond) + "/s to " + Count.of(plan.files(), "file");
    boolean slow = bytesPerSecond < NEARLY * plan.rateBytesPerSecond();
    return held
        + " of "
        + scenes.size()
        + " hold at "
        + rate
        + (slow ? "; this host could not write the rate that was asked for" : "");
  }

  /** The same as JSON. */
  public void write(JsonGenerator json) throws IOException {
    json.writeBooleanField("holds", exitCode() == ExitCode.DONE);
    json.writeNumberField("bytesPerSecond", bytesPerSecond);
    json.writeNumberField("files", plan.files());
    json.writeArrayFieldStart("scenes");
    for (SceneResult scene : scenes) {
      json.writeStartObject();
      json.writeStringField("what", scene.name());
      json.writeBooleanField("holds", scene.holds());
      json.writeNumberField("writtenBytes", scene.writtenBytes());
      json.writeNumberField("atRiskBytes", scene.atRiskBytes());
      json.writeNumberField("lostBytes", scene.lostBytes());
      if (scene.took().isPresent()) {
        json.writeNumberField("deliveredInMillis", scene.took().get().toMillis());
      }
      if (scene.limit().isPresent()) {
        json.writeNumberField("limitMillis", scene.limit().get().toMillis());
      }
      json.writeStringField("remark", scene.remark());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String seconds(Optional<Duration> time) {
    return time.map(t -> String.format(Locale.ROOT, "%.1f s", t.toMillis() / 1000.0)).orElse("-");
  }
}
