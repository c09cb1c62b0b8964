package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UnwritableOutputException;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.store.DamagePrinter;
import dev.tailwater.cli.store.RepairReport;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.datafile.tool.ClosedStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store repair}. */
@Command(
    name = "repair",
    description =
        "Rebuild a damaged store from everything in it that is whole, and list each key"
            + " that is lost or has an older value.",
    footer = {
      "",
      "Damaged files are kept in DIR/damaged-TIME until you delete it. The report is"
          + " lines of JSON. Exits with 3 if a key is, or may be, lost or older."
    })
final class StoreRepairCommand implements Callable<Integer> {
  private static final String STDOUT = "-";

  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Where to write the report, a new file; - is stdout, and the default.")
  private String report = STDOUT;

  @Option(names = "--dry-run", description = "Only write the report; change nothing.")
  private boolean dryRun;

  StoreRepairCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClosedStore closed = store.closed(surroundings);
    if (report.equals(STDOUT)) {
      try (OutputStream out = new BufferedOutputStream(new CheckedOutput(surroundings.out()))) {
        return repair(closed, out, out::flush).number();
      } catch (UnwritableOutputException e) {
        if (e.readerIsGone() && !dryRun) {
          throw cutOff(e);
        }
        throw e;
      }
    }
    Path file = surroundings.absolute(report);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      return repair(closed, file, channel).number();
    } catch (FileAlreadyExistsException there) {
      throw UserException.usage(
          "the report " + report + " is there already", "give another name, or move it away");
    }
  }

  /** A repair without its report is not done to its end, which must be said. */
  private UserException cutOff(UnwritableOutputException e) {
    return UserException.failed(
        "the reader of the report closed the pipe before its end: the store may not be repaired",
        "'tailwater store verify "
            + store.name()
            + "' says whether it is whole; --report FILE writes the report to a file",
        e);
  }

  private ExitCode repair(ClosedStore closed, Path file, FileChannel channel) throws IOException {
    try (OutputStream out = new BufferedOutputStream(new ChannelOutput(channel))) {
      return repair(
          closed,
          out,
          () -> {
            out.flush();
            channel.force(true);
          });
    } catch (IOException failed) {
      if (channel.size() == 0) {
        Files.delete(file); // it says nothing, and would be in the way when it is run again
      }
      throw failed;
    }
  }

  private ExitCode repair(ClosedStore closed, OutputStream out, RepairReport.Durable durable)
      throws IOException {
    StoreCheck found;
    Optional<PosixPath> originals = Optional.empty();
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "repair");
        RepairReport lines = new RepairReport(out, progress, durable)) {
      if (dryRun) {
        found = closed.verify(lines);
      } else {
        var result = closed.repair(lines);
        found = result.found();
        originals = result.originals();
      }
      lines.summary(found.keys());
    }
    durable.sync();
    if (found.isWhole()) {
      surroundings.err().println("tailwater: nothing is damaged, and nothing was changed");
      return ExitCode.DONE;
    }
    surroundings.err().println("tailwater: " + DamagePrinter.summary(found.keys()));
    if (originals.isPresent()) {
      checkAgain(closed);
      surroundings
          .err()
          .println(
              Printable.line(
                  "tailwater: repaired; the damaged files are in "
                      + originals.get()
                      + ", for you to delete"));
    }
    return found.keys().equals(StoreCheck.Keys.NONE) ? ExitCode.DONE : ExitCode.PARTIAL;
  }

  private void checkAgain(ClosedStore closed) throws IOException {
    if (!closed.verify(DamageListener.none()).isWhole()) {
      throw UserException.failed(
          "the store is still damaged",
          "the disk may be failing: copy the directory to another one, and repair it there");
    }
  }

  /** A file as an output stream. */
  private static final class ChannelOutput extends OutputStream {
    private final FileChannel channel;

    ChannelOutput(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
  }
}
