package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.init.FirstConfiguration;
import dev.tailwater.cli.init.MachineSurvey;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.ship.ConfigCheck;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater init}. */
@Command(
    name = "init",
    description =
        "Look for logs, cloud and file servers on this machine, and write a commented"
            + " configuration file.",
    footer = {
      "",
      "It looks at names, sizes and times below /var/log, /srv, /opt and /var/opt for at most"
          + " three seconds, at the firmware's name for the cloud, and at the free space of file"
          + " servers that are mounted. It reads no log and asks no other service."
    })
public final class InitCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONFIG",
      description = "The file to write. Default: tailwater.yaml.")
  private String file = "tailwater.yaml";

  @Option(
      names = "--to",
      paramLabel = "DESTINATION",
      description = "Where the archive will live. Default: a file server that is mounted.")
  private Optional<String> destination = Optional.empty();

  @Option(
      names = "--look",
      paramLabel = "DIR",
      description =
          "Look for logs below this directory instead of the usual ones. Can be given several"
              + " times.")
  private List<String> directories = new ArrayList<>();

  @Option(names = "--print", description = "Print the file instead of writing it.")
  private boolean print;

  @Option(names = "--overwrite", description = "Replace the file if it exists.")
  private boolean overwrite;

  public InitCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    if (print && overwrite) {
      throw UserException.usage(
          "--print writes no file that --overwrite could replace", "leave one of the two out");
    }
    Path path = surroundings.absolute(file);
    if (!print && !overwrite && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw exists();
    }
    FileCalls calls = LinuxFileCalls.create();
    MachineSurvey survey = new MachineSurvey(calls, places(), surroundings.environment());
    FirstConfiguration made =
        FirstConfiguration.of(
            survey, InstantSource.system().millis(), calls, surroundings, destination, file);
    requireValid(made, path);
    if (print) {
      surroundings.out().print(made.text());
    } else {
      write(path, made.text());
      say("wrote " + file + ": " + sources(made) + ", destination " + made.destination());
    }
    next(made);
    return ExitCode.DONE.number();
  }

  private MachineSurvey.Places places() {
    return directories.isEmpty()
        ? MachineSurvey.Places.standard()
        : MachineSurvey.Places.below(
            directories.stream().map(surroundings::absolute).map(PosixPath::of).toList());
  }

  /** What does not pass the check is the user's destination, since all else is the program's. */
  private void requireValid(FirstConfiguration made, Path path) {
    List<ConfigProblem> problems =
        ConfigFile.read(made.text(), path.resolveSibling(""), new ConfigCheck(surroundings))
            .problems();
    if (!problems.isEmpty()) {
      ConfigProblem first = problems.getFirst();
      throw UserException.usage(
          "nothing was written: " + first.message(),
          first.hint().orElse("give another destination: --to DESTINATION"));
    }
  }

  private void write(Path path, String text) throws IOException {
    if (!overwrite) {
      try {
        Files.writeString(path, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        throw exists();
      }
      return;
    }
    // A new file takes the place of the old one, so that a link is replaced and not followed.
    Path beside = path.resolveSibling(path.getFileName() + ".new");
    Files.writeString(beside, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private UserException exists() {
    return UserException.failed(
        file + " exists already",
        "--print shows what would be written; --overwrite replaces the file");
  }

  private static String sources(FirstConfiguration made) {
    return switch (made.sources()) {
      case 0 -> "no logs were found";
      case 1 -> "1 source";
      default -> made.sources() + " sources";
    };
  }

  private void next(FirstConfiguration made) {
    boolean placeholder = made.isPlaceholder();
    String change = placeholder ? "change 'destination' in it, then " : "";
    if (print) {
      return;
    }
    say(
        "next: "
            + change
            + "'tailwater ship --dry-run --config "
            + file
            + "' lists what would be"
            + " shipped");
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
