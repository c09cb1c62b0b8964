package dev.tailwater.lab.command;

import dev.tailwater.cli.Program;
import dev.tailwater.cli.host.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** One run of the program in this process, and what came of it. */
record Trial(int exitCode, String out, String err) {

  /** Runs it with a working directory and an empty environment. */
  static Trial run(Path workingDirectory, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            workingDirectory,
            OptionalInt.empty());
    int exitCode = new Program(surroundings).run(args);
    surroundings.out().flush();
    return new Trial(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
