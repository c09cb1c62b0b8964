package dev.tailwater.it.soak;

import dev.tailwater.posix.testkit.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process of {@link Soak} that makes rounds until it is killed, and says on standard output when
 * one begins and how it ended. What a round prints goes to its log.
 */
final class SoakWorker {
  static final String BEGIN = "soak-begin ";
  static final String END = "soak-end ";

  private final Path home;
  private final Path failures;
  private final PrintStream said;
  private final Launcher launcher = LauncherFactory.create();

  private SoakWorker(Path home, Path failures, PrintStream said) {
    this.home = home;
    this.failures = failures;
    this.said = said;
  }

  /**
   * Arguments: a directory of its own, one for failures, {@code -} or a seed for a single round of
   * each kind, how many kinds to begin behind the first, and the names of the kinds.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    Path home = Path.of(words.get(0));
    SoakWorker worker = new SoakWorker(home, Path.of(words.get(1)), System.out);
    List<SoakKind> kinds = new ArrayList<>();
    for (String name : words.subList(4, words.size())) {
      kinds.add(
          SoakKind.ALL.stream().filter(kind -> kind.name().equals(name)).findFirst().orElseThrow());
    }
    if (words.get(2).equals("-")) {
      worker.forever(kinds, Integer.parseInt(words.get(3)));
    }
    for (SoakKind kind : kinds) {
      worker.round(kind, Long.parseLong(words.get(2)));
    }
    System.exit(0); // Whatever threads a failed test has left.
  }

  private void forever(List<SoakKind> kinds, int first) throws Exception {
    SecureRandom seeds = new SecureRandom();
    Set<SoakKind> impossible = new HashSet<>();
    for (int turn = first; impossible.size() < kinds.size(); turn++) {
      SoakKind kind = kinds.get(turn % kinds.size());
      for (int i = 0; i < kind.roundsInTurn() && !impossible.contains(kind); i++) {
        if (round(kind, seeds.nextLong() >>> 16) == SoakRound.Outcome.SKIPPED) {
          impossible.add(kind);
        }
      }
    }
  }

  private SoakRound.Outcome round(SoakKind kind, long seed) throws Exception {
    said.println(BEGIN + kind.name() + " " + seed);
    long startNanos = System.nanoTime();
    PrintStream err = System.err;
    Path log = home.resolve("round.log");
    SoakRound.Result result;
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      System.setErr(out);
      result = new SoakRound(kind, launcher).run(seed);
      result.failure().ifPresent(failure -> failure.printStackTrace(out));
    } finally {
      System.setOut(said);
      System.setErr(err);
    }
    if (result.outcome() == SoakRound.Outcome.FAILED) {
      keep(kind, seed, log);
    } else {
      deleteContents(scratch());
    }
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    said.println(END + kind.name() + " " + seed + " " + result.outcome() + " " + millis);
    return result.outcome();
  }

  private static Path scratch() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Everything that the round had written, its log, and how to run it again. */
  private void keep(SoakKind kind, long seed, Path log) throws IOException {
    Path kept = Files.createDirectories(failures.resolve(kind.name() + "-" + seed));
    Files.copy(log, kept.resolve("log.txt"), StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(kept.resolve("repeat"), "./soak --seed %d %s%n".formatted(seed, kind.name()));
    try (Stream<Path> left = Files.list(scratch())) {
      for (Path path : left.toList()) { // Mostly to another file system.
        Command.run(List.of("mv", path.toString(), kept.toString())).requireSuccess();
      }
    }
  }

  private static void deleteContents(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.toList().reversed()) {
        if (!path.equals(directory)) {
          Files.delete(path);
        }
      }
    }
  }
}
