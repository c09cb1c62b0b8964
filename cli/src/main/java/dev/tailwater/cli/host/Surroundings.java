package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.HomePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a command: all that it may use outside of the program.
 *
 * @param out data
 * @param err everything else: messages, progress
 * @param environment environment variables
 * @param workingDirectory absolute; relative paths begin here
 * @param terminalColumns width of the terminal behind {@code err}; empty: there is none
 * @param in data that a command reads when it is told to
 */
public record Surroundings(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path workingDirectory,
    OptionalInt terminalColumns,
    InputStream in) {
  /** Stands for bytes that are not UTF-8 and that the JVM has lost. */
  public static final String REPLACEMENT = "\uFFFD";

  /** Set by the launcher, which can ask the terminal without loading a library. */
  private static final String COLUMNS_PROPERTY = "tailwater.terminal.columns";

  /** Creates surroundings without input. */
  public Surroundings(
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      Path workingDirectory,
      OptionalInt terminalColumns) {
    this(out, err, environment, workingDirectory, terminalColumns, InputStream.nullInputStream());
  }

  /** Returns the surroundings of this process. */
  public static Surroundings ofProcess() {
    @Nullable Integer columns = Integer.getInteger(COLUMNS_PROPERTY);
    return new Surroundings(
        StandardOutput.ofProcess(),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        columns == null ? OptionalInt.empty() : OptionalInt.of(columns),
        System.in);
  }

  /** Returns an environment variable if it is set and not empty. */
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  /** Makes a path absolute, as the user wrote it. */
  public Path absolute(String path) {
    if (path.isEmpty()) {
      throw UserException.usage("an empty text is no path", "'.' is the working directory");
    }
    if (HomePath.isMeant(path)) {
      throw UserException.usage(HomePath.message(path), HomePath.hint(path));
    }
    if (!path.startsWith("/") && isAnotherDirectory()) {
      throw UserException.usage(
          path + " is below a working directory whose name is not UTF-8",
          "write a path that begins with /");
    }
    return workingDirectory.resolve(path).normalize();
  }

  /** Returns whether the JVM could not decode the name of the working directory. */
  private boolean isAnotherDirectory() {
    try {
      return workingDirectory.toString().contains(REPLACEMENT)
          && !Files.isSameFile(workingDirectory, Path.of("."));
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether stack traces are wanted. */
  public boolean debug() {
    return variable("TAILWATER_DEBUG").isPresent();
  }
}
