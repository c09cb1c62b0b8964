package dev.tailwater.cli;

import dev.tailwater.cli.host.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Goes the program's common ways once, so that the AOT cache made meanwhile (JEP 514) holds the
 * classes that they load. Started by the scripts that make the cache; works in a temporary
 * directory, which it removes.
 */
final class Training {
  private Training() {}

  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("tailwater-training-");
    try {
      train(directory);
    } finally {
      try (Stream<Path> paths = Files.walk(directory)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static void train(Path directory) throws IOException {
    // Messages are for the log of the build, which shows it when this fails.
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Program program =
        new Program(new Surroundings(silent, System.err, Map.of(), directory, OptionalInt.empty()));
    Path logs = Files.createDirectory(directory.resolve("logs"));
    for (String name : List.of("a.log", "b.log")) {
      Files.writeString(logs.resolve(name), "a line of a log\n".repeat(100_000));
    }
    Files.writeString(directory.resolve("t.yaml"), "sources: logs\ndestination: archive\n");
    for (String arguments :
        List.of(
            "--version",
            "--help",
            "check t.yaml",
            "ship --once --agent t --state state --encrypt-to "
                + publicKey(program, directory)
                + " logs archive",
            "ls archive --json",
            "ls archive",
            "verify archive --identity key.txt",
            "restore archive restored --identity key.txt",
            "store stats state")) {
      int exitCode = program.run(arguments.split(" "));
      if (exitCode != 0) {
        throw new IllegalStateException("'" + arguments + "' ended with " + exitCode);
      }
    }
  }

  /** Of a new key pair in key.txt. */
  private static String publicKey(Program program, Path directory) throws IOException {
    program.run("keygen", "-o", "key.txt");
    String label = "# public key: ";
    return Files.readAllLines(directory.resolve("key.txt")).stream()
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()))
        .findFirst()
        .orElseThrow();
  }
}
