package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForksTest {
  private static final ForkPlan PLAN = new ForkPlan(2, 1, 10, 3, 10);

  @TempDir private Path directory;
  private final List<String> progress = new ArrayList<>();

  private Laboratory laboratory() {
    return new Laboratory(
        directory,
        Effort.QUICK,
        LinuxFileCalls.create(),
        new Random(1),
        (_, doing) -> progress.add(doing));
  }

  private static ForkedBenchmark benchmark(String method, int micros) {
    return new ForkedBenchmark(
        ForksBenchmark.class,
        method,
        Map.of("micros", Integer.toString(micros)),
        List.of("-Xmx64m", "-XX:+UseSerialGC"));
  }

  @Test
  void theOptionsOfAVariantGoBeforeThoseOfItsAnnotation() throws Exception {
    Map<String, List<Series>> found =
        new Forks<String>(new ForkPlan(1, 1, 10, 1, 10))
            .add("heap", benchmark("heap", 1))
            .measure(laboratory());
    assertEquals(1, of(found, "heap").getFirst().samples().size());
  }

  @Test
  void givesASampleOfEachJvmAndLetsTheVariantsTakeTurns() throws Exception {
    Map<String, List<Series>> found =
        new Forks<String>(PLAN)
            .addGroup("short", benchmark("waiting", 1), List.of("one", "ten"))
            .addGroup("long", benchmark("waiting", 50), List.of("ten", "one"))
            .measure(laboratory());
    assertEquals(2, of(found, "short").size());
    assertEquals(2, of(found, "short").getFirst().samples().size());
    // Waiting takes at least that long, whatever else the machine does.
    assertTrue(of(found, "short").getLast().median() >= 10, found.toString());
    assertTrue(of(found, "long").getFirst().median() >= 500, found.toString());
    assertTrue(of(found, "long").getLast().median() >= 50, found.toString());
    assertEquals(4, progress.size());
    assertTrue(progress.get(1).startsWith("JVM round 1 of 2"), progress.toString());
    assertTrue(progress.get(2).startsWith("JVM round 2 of 2"), progress.toString());
  }

  @Test
  void saysWhyABenchmarkFailedAndPrintsNothing() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(System.out);
    try {
      IOException broken =
          assertThrows(
              IOException.class,
              () ->
                  new Forks<String>(PLAN)
                      .add("broken", benchmark("broken", 7))
                      .measure(laboratory()));
      assertContains("no such thing as 7", broken);
      assertContains("ForksBenchmark.broken", broken);
      IOException ended =
          assertThrows(
              IOException.class,
              () ->
                  new Forks<String>(PLAN)
                      .add("ending", benchmark("ending", 7))
                      .measure(laboratory()));
      assertContains("exit code 3", ended);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void inheritsNoOptionsOfTheRunningJvm() {
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                new Forks<String>(PLAN)
                    .add("options", benchmark("options", 1))
                    .measure(laboratory()));
    assertContains(
        "failed: --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
            + " -XX:-UsePerfData -Xmx64m -XX:+UseSerialGC -Dtailwater.lab.work="
            + directory
            + " -XX:+UnlockDiagnosticVMOptions",
        failure);
  }

  @Test
  void measuresWhatAnyConclusionNeedsThoughThereIsNoTime() throws Exception {
    Map<String, List<Series>> found =
        new Forks<String>(new ForkPlan(5, 1, 10, 1, 10))
            .addGroup("short", benchmark("waiting", 1), List.of("one"))
            .measure(laboratory(), Duration.ZERO);
    assertEquals(Comparison.MIN_SAMPLES, of(found, "short").getFirst().samples().size());
  }

  @Test
  void refusesTheSameVariantTwice() {
    Forks<String> forks = new Forks<String>(PLAN).add("one", benchmark("waiting", 1));
    assertThrows(IllegalArgumentException.class, () -> forks.add("one", benchmark("waiting", 50)));
  }

  @Test
  void saysThatThereIsNoSuchBenchmark() {
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                new Forks<String>(PLAN)
                    .add("nothing", benchmark("nothing", 1))
                    .measure(laboratory()));
    assertContains("nothing", failure);
  }

  @Test
  void endsWhenItIsInterrupted() {
    Laboratory interrupting =
        new Laboratory(
            directory,
            Effort.QUICK,
            LinuxFileCalls.create(),
            new Random(1),
            (_, _) -> Thread.currentThread().interrupt());
    assertThrows(
        InterruptedException.class,
        () ->
            new Forks<String>(PLAN).add("waiting", benchmark("waiting", 1)).measure(interrupting));
  }

  private static List<Series> of(Map<String, List<Series>> found, String variant) {
    return Optional.ofNullable(found.get(variant)).orElseThrow();
  }

  private static void assertContains(String words, Exception failure) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(words), message);
  }
}
