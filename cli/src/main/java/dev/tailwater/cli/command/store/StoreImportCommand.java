package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.store.CountedInput;
import dev.tailwater.cli.store.EntryImport;
import dev.tailwater.cli.store.EntryLines;
import dev.tailwater.cli.store.EntryLines.BadLineException;
import dev.tailwater.cli.value.Count;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.tool.Stores;
import dev.tailwater.store.log.StoreOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater store import}. */
@Command(
    name = "import",
    description = "Put the entries of a file made by 'store export' into a store.",
    footer = {
      "",
      "Keys in the file get its values, other keys stay as they are. It may be run"
          + " again, with the same result. A line that is no entry ends it with exit code 2;"
          + " all entries before that line are in the store."
    })
final class StoreImportCommand implements Callable<Integer> {
  private static final String STDIN = "-";
  private static final int BUFFER_BYTES = 256 * 1024;

  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private ModeOption mode = new ModeOption();

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      description = "Lines of JSON; - is stdin, and the default.")
  private String file = STDIN;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Number of entries that are committed together (default: ${DEFAULT-VALUE}).")
  private int batch = 1000;

  StoreImportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    if (batch < 1) {
      throw UserException.usage("--batch " + batch + " is no number of entries", "give 1 or more");
    }
    Optional<Path> from =
        file.equals(STDIN) ? Optional.empty() : Optional.of(surroundings.absolute(file));
    if (from.isPresent() && Files.isDirectory(from.get())) {
      throw UserException.usage(file + " is a directory", "name the file of 'store export'");
    }
    long allBytes = from.isPresent() ? Files.size(from.get()) : 0;
    Instant now = Instant.now();
    InstantSource clock = InstantSource.fixed(now);
    try (InputStream in = from.isPresent() ? Files.newInputStream(from.get()) : surroundings.in();
        TerminalProgress progress = TerminalProgress.of(surroundings, "import");
        CountedInput counted =
            new CountedInput(in, bytes -> progress.at(bytes, Math.max(bytes, allBytes)));
        EntryLines lines = new EntryLines(new BufferedInputStream(counted, BUFFER_BYTES));
        KeyValueStore opened =
            Stores.open(
                store.calls(),
                store.path(surroundings),
                mode.ofNew(store, surroundings),
                DataFileOptions.defaults().withClock(clock),
                StoreOptions.defaults().withClock(clock))) {
      return importAll(lines, new EntryImport(opened, batch, now.toEpochMilli())).number();
    }
  }

  private ExitCode importAll(EntryLines lines, EntryImport importing) throws IOException {
    try {
      while (true) {
        Optional<Entry> entry = lines.next();
        if (entry.isEmpty()) {
          importing.flush();
          say(importing);
          return ExitCode.DONE;
        }
        add(entry.get(), lines, importing);
      }
    } catch (BadLineException bad) {
      importing.flush();
      throw UserException.usage(
          "line " + bad.line() + ": " + bad.getMessage() + "; " + said(importing),
          "mend the line and run it again: what is there already stays the same");
    }
  }

  private static void add(Entry entry, EntryLines lines, EntryImport importing) throws IOException {
    try {
      importing.add(entry);
    } catch (IllegalArgumentException refused) {
      importing.flush();
      throw UserException.usage(
          "line " + lines.line() + ": " + refused.getMessage() + "; " + said(importing),
          "mend the line and run it again: what is there already stays the same");
    }
  }

  private void say(EntryImport importing) {
    surroundings.err().println("tailwater: " + said(importing));
  }

  private static String said(EntryImport importing) {
    String expired =
        importing.expired() == 0
            ? ""
            : ", left out "
                + Count.of(importing.expired(), "that has expired", "that have expired");
    return "imported " + Count.of(importing.imported(), "entry", "entries") + expired;
  }
}
