package dev.tailwater.cli;

import dev.tailwater.cli.host.Surroundings;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Runs the program's common ways once, so that the AOT cache made meanwhile (JEP 514) holds the
 * classes that they load. Started by the scripts that make the cache; touches nothing outside a
 * temporary directory.
 */
final class Training {
  private Training() {}

  public static void main(String[] args) {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Surroundings surroundings =
        new Surroundings(
            silent,
            silent,
            Map.of(),
            Path.of(System.getProperty("java.io.tmpdir")),
            OptionalInt.empty());
    Program program = new Program(surroundings);
    require(program.run("--version") == 0);
    require(program.run("--help") == 0);
  }

  private static void require(boolean worked) {
    if (!worked) {
      throw new IllegalStateException("the training run failed");
    }
  }
}
