package dev.tailwater.cli;

import dev.tailwater.cli.child.ParentWatch;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.ship.StopSignals;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The entry point of the program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    int exitCode = ExitCode.FAILED.number();
    try {
      Surroundings surroundings = Surroundings.ofProcess();
      // The user gets a message whatever ends a thread.
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, failure) -> surroundings.err().println(message(thread, failure)));
      OutOfMemory.listen(surroundings);
      ParentWatch.begin(surroundings);
      Optional<UserException> undecodable = undecodable(args);
      exitCode =
          undecodable.isPresent()
              ? new FailureReport(surroundings).failed(undecodable.get()).number()
              : program(surroundings, args).run(args);
      surroundings.out().flush();
    } catch (RuntimeException | Error e) {
      // Even reporting a failure has failed, most likely for lack of memory.
      System.err.println("tailwater: " + e);
    } finally {
      // Ends the process even if a thread was left behind.
      System.exit(exitCode);
    }
  }

  private static String message(Thread thread, Throwable failure) {
    return Printable.text(
        "tailwater: problem: the thread "
            + thread.getName()
            + " has ended: "
            + failure
            + "; this should not happen");
  }

  /**
   * Looks at the bytes only if an argument has the character that stands for those that are lost.
   */
  private static Optional<UserException> undecodable(String[] args) {
    if (!String.join("", args).contains(Surroundings.REPLACEMENT)) {
      return Optional.empty();
    }
    try {
      return undecodable(args, Files.readAllBytes(Path.of("/proc/self/cmdline")));
    } catch (IOException e) {
      return Optional.of(UserException.failed("no /proc/self/cmdline: " + e, "mount /proc"));
    }
  }

  /**
   * Finds an argument that the JVM has not decoded exactly, so that it would name another file.
   *
   * @param commandLine of the process, which ends with the arguments, each with a NUL after it
   */
  static Optional<UserException> undecodable(String[] args, byte[] commandLine) {
    int end = commandLine.length - 1;
    for (int i = args.length - 1; i >= 0 && end >= 0; i--) {
      int start = end;
      while (start > 0 && commandLine[start - 1] != 0) {
        start--;
      }
      byte[] exact = Arrays.copyOfRange(commandLine, start, end);
      if (!Arrays.equals(exact, args[i].getBytes(StandardCharsets.UTF_8))) {
        return Optional.of(
            UserException.usage(
                "an argument is not UTF-8: " + EscapedPath.of(PosixPath.of(exact)),
                "a source, a file of 'status' and a path in the archive can be written in this"
                    + " form; for another place, name a symbolic link to it"));
      }
      end = start - 1;
    }
    return Optional.empty();
  }

  /**
   * Listens for signals before an agent starts: stopped during its start, it ends like any other.
   */
  private static Program program(Surroundings surroundings, String[] args) {
    boolean ships =
        args.length > 0 && args[0].equals("ship") && !List.of(args).contains("--dry-run");
    return ships
        ? new Program(surroundings, StopSignals.listen(surroundings))
        : new Program(surroundings);
  }
}
