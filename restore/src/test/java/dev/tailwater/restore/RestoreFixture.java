package dev.tailwater.restore;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** A target directory on a real file system, and what tests ask of it. */
public abstract class RestoreFixture {
  public static final FileCalls CALLS = LinuxFileCalls.create();

  public @TempDir Path scratch;

  /** One round of a random test. */
  public interface RandomRound {
    void run(Random random, Path target) throws IOException;
  }

  /** Runs rounds, each with a seed and a target of its own; a failure names the seed. */
  public void rounds(int count, RandomRound round) {
    long seed = Long.getLong("tailwater.seed", new SecureRandom().nextLong());
    for (int i = 0; i < Integer.getInteger("tailwater.rounds", count); i++) {
      try {
        round.run(new Random(seed + i), scratch.resolve("round" + i));
      } catch (AssertionError | IOException | RuntimeException e) {
        throw new AssertionError("round with seed " + (seed + i), e);
      }
    }
  }

  public Path target() {
    return scratch.resolve("target");
  }

  /** Removes all that was restored. */
  public void deleteTarget() throws IOException {
    if (!Files.exists(target())) {
      return;
    }
    try (Stream<Path> found = Files.walk(target())) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  public RestoreReport restore(TestArchive archive) throws IOException {
    return restore(archive, RestoreOptions.of(TestArchive.options()));
  }

  public RestoreReport restore(TestArchive archive, RestoreOptions options) throws IOException {
    return restore(CALLS, archive, options);
  }

  public RestoreReport restore(FileCalls calls, TestArchive archive, RestoreOptions options)
      throws IOException {
    return new Restorer(calls, archive.destination, options, RestoreProgress.none())
        .restore(archive.index(options.reading()), PosixPath.of(target()));
  }

  /** Calls of a user for whom the file system makes files of another one, as NFS does for root. */
  public static FileCalls squashed() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              if (method.getName().equals("effectiveUserId")) {
                return CALLS.effectiveUserId() + 1;
              }
              try {
                return method.invoke(CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  /** Verifies an archive whose objects are not encrypted. */
  public static VerifyReport verify(TestArchive archive) throws IOException {
    return new Verifier(archive.destination, TestArchive.options(), RestoreProgress.none())
        .verify(archive.index(TestArchive.options()));
  }

  public static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  public static RestoredStream only(RestoreReport report) {
    assertEquals(1, report.streams().size());
    return report.streams().getFirst();
  }

  public void assertFile(String path, byte[] expected) throws IOException {
    assertArrayEquals(expected, Files.readAllBytes(target().resolve(path)), path);
  }

  /** The modification time of a restored file, nanoseconds since 1970. */
  long modifiedNanos(String path) throws IOException {
    return Files.getLastModifiedTime(target().resolve(path)).to(TimeUnit.NANOSECONDS);
  }

  /** All files below the target, relative, sorted. */
  public List<String> files() throws IOException {
    return files(target());
  }

  public static List<String> files(Path directory) throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      return found
          .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .map(path -> directory.relativize(path).toString())
          .sorted()
          .toList();
    }
  }
}
