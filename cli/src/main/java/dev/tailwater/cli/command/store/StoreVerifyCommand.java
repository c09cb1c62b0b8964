package dev.tailwater.cli.command.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.store.DamageJson;
import dev.tailwater.cli.store.DamagePrinter;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.datafile.tool.ClosedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store verify}. */
@Command(
    name = "verify",
    description =
        "Read and check every byte of a store, and list all damage and what it means for"
            + " keys.",
    footer = {"", "Changes nothing. Exits with 3 when something is damaged."})
final class StoreVerifyCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "List at most N keys (default: ${DEFAULT-VALUE}); --json lists all.")
  private int keys = 20;

  StoreVerifyCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClosedStore closed = store.closed(surroundings);
    StoreCheck found = json.wanted() ? printJson(closed) : print(closed);
    return (found.isWhole() ? ExitCode.DONE : ExitCode.PARTIAL).number();
  }

  private StoreCheck print(ClosedStore closed) throws IOException {
    List<String> damages = new ArrayList<>();
    List<String> named = new ArrayList<>();
    StoreCheck found;
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "verify")) {
      found =
          closed.verify(
              new Listening(progress) {
                @Override
                public void damage(Damage damage) {
                  damages.add(DamagePrinter.line(damage));
                }

                @Override
                public void key(AffectedKey key) {
                  if (named.size() < keys && DamagePrinter.isKnown(key)) {
                    named.add(DamagePrinter.line(key));
                  }
                }
              });
    }
    DamagePrinter.files(found, surroundings.out());
    if (!found.isWhole()) {
      surroundings.out().println();
      damages.forEach(surroundings.out()::println);
      named.forEach(line -> surroundings.out().println("  " + line));
      surroundings.err().println("tailwater: " + DamagePrinter.summary(found.keys()));
      surroundings
          .err()
          .println(
              "Hint: stop the disk from doing more harm (copy the directory), then 'tailwater store"
                  + " repair "
                  + store.name()
                  + "'");
    }
    return found;
  }

  private StoreCheck printJson(ClosedStore closed) throws IOException {
    StoreCheck[] found = new StoreCheck[1];
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "verify");
        CheckedOutput out = new CheckedOutput(surroundings.out())) {
      Json.object(
          out,
          generator -> {
            generator.writeStringField("mode", closed.mode().text());
            generator.writeArrayFieldStart("damages");
            Writing writing = new Writing(progress, generator);
            found[0] = closed.verify(writing);
            writing.endDamages();
            generator.writeEndArray();
            generator.writeObjectFieldStart("affected");
            DamageJson.fields(generator, found[0].keys());
            generator.writeEndObject();
            DamageJson.files(generator, found[0]);
            generator.writeBooleanField("whole", found[0].isWhole());
          });
    }
    return found[0];
  }

  /** Shows the progress. */
  private abstract static class Listening implements DamageListener {
    private final TerminalProgress progress;

    Listening(TerminalProgress progress) {
      this.progress = progress;
    }

    @Override
    public void progress(long doneBytes, long ofBytes) {
      progress.at(doneBytes, ofBytes);
    }
  }

  /** Writes an array of damages and an array of keys as they are found. */
  private static final class Writing extends Listening {
    private final JsonGenerator json;
    private boolean inKeys;

    Writing(TerminalProgress progress, JsonGenerator json) {
      super(progress);
      this.json = json;
    }

    @Override
    public void damage(Damage damage) throws IOException {
      json.writeStartObject();
      DamageJson.fields(json, damage);
      json.writeEndObject();
    }

    @Override
    public void key(AffectedKey key) throws IOException {
      endDamages();
      json.writeStartObject();
      DamageJson.fields(json, key);
      json.writeEndObject();
    }

    void endDamages() throws IOException {
      if (!inKeys) {
        inKeys = true;
        json.writeEndArray();
        json.writeArrayFieldStart("keys");
      }
    }
  }
}
