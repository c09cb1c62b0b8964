package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.tool.StoreMode;
import dev.tailwater.store.datafile.tool.Stores;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code tailwater store}, on stores of both modes. */
class StoreCommandsTest {
  /** A terminal would clear its screen, and write what follows from right to left. */
  private static final String DANGEROUS = "\u009b2J\u202e\u007f";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(StoreMode.class)
  void givesValuesAsTheyAreAndKeysAsTheyAreWritten(StoreMode mode) throws IOException {
    try (KeyValueStore store = open("s", mode)) {
      store.put(bytes("text"), bytes("a value"), WriteOptions.defaults().withTags(Set.of("red")));
      store.put(new byte[] {0, -1}, bytes("of a binary key"));
      store.put(bytes("evil"), bytes("\u001b[31mred"));
      store.put(
          bytes("short-lived"),
          bytes("x"),
          WriteOptions.defaults().withTimeToLive(Duration.ofMillis(1)));
    }
    assertEquals("a value", done("store", "get", "s", "text").out());
    for (String[] key : new String[][] {{"hex:00ff"}, {"--hex", "00ff"}, {"--base64", "AP8="}}) {
      String[] arguments =
          Stream.concat(Stream.of("store", "get", "s"), Stream.of(key)).toArray(String[]::new);
      assertEquals("of a binary key", done(arguments).out());
    }
    String entry = done("store", "get", "s", "text", "--entry").out();
    assertTrue(entry.contains("version") && entry.contains("red"), entry);
    Trial scan = done("store", "scan", "s");
    assertFalse(scan.out().contains("\u001b"), "control characters never reach the terminal");
    assertTrue(scan.out().contains("hex:00ff\tof a binary key\n"), scan.out());
    assertFalse(scan.out().contains("short-lived"), "it has expired");
    assertEquals("text\n", done("store", "scan", "s", "--tag", "red", "--keys-only").out());
    assertEquals(1, done("store", "scan", "s", "--limit", "1").out().lines().count());
    assertEquals("evil", done("store", "scan", "s", "--prefix", "ev", "--keys-only").out().strip());
    assertTrue(done("store", "scan", "s", "--json").out().contains("\"keyBase64\": \"AP8=\""));
    Trial missing = Trial.run(directory, "store", "get", "s", "nothing");
    assertFailed(1, "there is no key nothing", missing);
    Trial expired = Trial.run(directory, "store", "get", "s", "short-lived");
    // A log may have swept it in the very group that put it.
    boolean swept = mode == StoreMode.LOG && expired.err().contains("there is no key");
    assertFailed(1, swept ? "there is no key" : "expired at", expired);
    assertFailed(2, "not hexadecimal", Trial.run(directory, "store", "get", "s", "--hex", "xy"));
  }

  @ParameterizedTest
  @EnumSource(StoreMode.class)
  void saysHowMuchThereIsAndReclaimsWhatIsDead(StoreMode mode) throws IOException {
    try (KeyValueStore store = open("s", mode)) {
      for (int i = 0; i < 300; i++) {
        store.put(
            bytes("key" + i % 3), new byte[2000], WriteOptions.defaults().withTags(Set.of("t")));
      }
    }
    String stats = done("store", "stats", "s", "--entries").out();
    assertTrue(stats.matches("(?s).*keys +3\n.*"), stats);
    assertTrue(stats.contains("< 2KiB"), stats);
    assertTrue(stats.matches("(?s).*TAG +KEYS\nt +3\n.*"), stats);
    String json = done("store", "stats", "s", "--json").out();
    assertTrue(json.contains("\"keys\": 3"), json);
    long before = size("s");
    String vacuum = done("store", "vacuum", "s").out();
    assertTrue(vacuum.contains("before") && vacuum.contains("after"), vacuum);
    assertTrue(size("s") < before / 10, before + " became " + size("s"));
    assertEquals(3, done("store", "scan", "s", "--keys-only").out().lines().count());
    assertEquals(0, done("store", "verify", "s").exitCode());
  }

  private long size(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(name))) {
      return files
          .filter(file -> !file.getFileName().toString().equals("index"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void whatIsExportedAndImportedIsTheSameWhateverTheBytes() throws IOException {
    for (long seed = 1; seed <= 6; seed++) {
      Random random = new Random(seed);
      String from = "from" + seed;
      String to = "to" + seed;
      StoreMode mode = random.nextBoolean() ? StoreMode.DATA : StoreMode.LOG;
      StoreMode other = random.nextBoolean() ? StoreMode.DATA : StoreMode.LOG;
      fill(from, mode, random);
      Trial exported = done("store", "export", from);
      String[] imports = {"store", "import", to, "--mode", other.text(), "--batch", "7"};
      for (int i = 0; i < 2; i++) { // the second time changes nothing
        Trial imported = Trial.run(directory, Map.of(), in(exported.out()), imports);
        assertEquals(0, imported.exitCode(), imported.err());
        assertEquals(contents(from), contents(to), "seed " + seed);
      }
      assertHarmless(exported);
      assertHarmless(done("store", "scan", from, "--json"));
      Trial statistics = done("store", "stats", from, "--entries", "--json");
      assertTrue(statistics.out().contains("\\u009B2J\\u202E\\u007F"), statistics.out());
      assertHarmless(statistics);
      assertHarmless(done("store", "stats", from, "--entries"));
    }
  }

  private static void assertHarmless(Trial trial) {
    assertFalse(trial.out().matches("(?s).*[\\x7f-\\x9f\\u202e].*"), trial.out());
  }

  private void fill(String name, StoreMode mode, Random random) throws IOException {
    try (KeyValueStore store = open(name, mode)) {
      for (int i = 0; i < 60; i++) {
        WriteOptions options = WriteOptions.defaults();
        if (random.nextInt(3) == 0) {
          options = options.withTags(Set.of("tag" + random.nextInt(3), "\u00fc \"\\\n", DANGEROUS));
        }
        if (random.nextInt(3) == 0) {
          options = options.withTimeToLive(Duration.ofMillis(3_600_000L + random.nextInt(1000)));
        }
        store.put(any(random, 40), any(random, 3000), options);
      }
    }
  }

  /** Bytes, text of any script, or control characters. */
  private static byte[] any(Random random, int most) {
    int length = random.nextInt(most);
    return switch (random.nextInt(3)) {
      case 0 -> {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        yield bytes;
      }
      case 1 -> {
        StringBuilder text = new StringBuilder();
        random.ints(length / 4, 0x20, 0x2100).forEach(text::appendCodePoint);
        yield text.toString().getBytes(StandardCharsets.UTF_8);
      }
      default -> {
        StringBuilder text = new StringBuilder("text with ");
        random.ints(length / 4, 0, 0x80).forEach(text::appendCodePoint);
        yield text.toString().getBytes(StandardCharsets.UTF_8);
      }
    };
  }

  private Map<String, String> contents(String name) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    Stores.closed(LinuxFileCalls.create(), PosixPath.of(directory.resolve(name)))
        .forEach(new byte[0], entry -> contents.put(latin(entry.key()), describe(entry)));
    return contents;
  }

  private static String describe(Entry entry) {
    return latin(entry.value())
        + "|"
        + entry.expiresAtMillis()
        + "|"
        + entry.tags().stream().sorted().toList();
  }

  @Test
  void namesTheLineThatIsNoEntryAndKeepsThoseInFrontOfIt() throws IOException {
    String good = "{\"key\":\"a\",\"value\":\"1\"}\n{\"key\":\"b\",\"value\":\"2\"}\n";
    for (Map.Entry<String, String> bad :
        Map.of(
                "{\"key\":\"c\",\"valeu\":\"3\"}", "did you mean 'value'?",
                "{\"key\":\"c\"}", "the entry has no value",
                "nonsense", "nonsense",
                "[1]", "an entry is an object",
                "{\"keyBase64\":\"*\",\"value\":\"\"}", "not base64",
                "{\"key\":\"c\",\"value\":\"x\",\"tags\":[\"\"]}", "a tag is empty",
                "{\"key\":\"c\",\"value\":\"3\",\"version\":99999999999999999999}", "out of range",
                "{\"key\":\"\\ud800\",\"value\":\"3\"}", "'key' is no Unicode text")
            .entrySet()) {
      Trial trial =
          Trial.run(directory, Map.of(), in(good + bad.getKey() + "\n"), "store", "import", "s");
      assertFailed(2, "line 3: ", trial);
      assertTrue(trial.err().contains(bad.getValue()), trial.err());
      assertTrue(trial.err().contains("imported 2 entries"), trial.err());
      assertEquals("a\t1\nb\t2\n", done("store", "scan", "s").out());
    }
    Files.writeString(directory.resolve("in.json"), "{\"key\":\"d\",\"value\":\"4\"}");
    assertEquals(0, done("store", "import", "s", "in.json").exitCode());
    assertEquals("4", done("store", "get", "s", "d").out());
    assertFailed(
        2,
        "is of mode data",
        Trial.run(directory, "store", "import", "s", "in.json", "--mode", "log"));
    assertFailed(
        2,
        "--mode tape",
        Trial.run(directory, "store", "import", "new", "in.json", "--mode", "tape"));
    assertFailed(1, "no such file", Trial.run(directory, "store", "import", "s", "gone.json"));
    Path other = Files.createDirectories(directory.resolve("archive/agent"));
    assertFailed(
        2,
        "archive has files, and no store",
        Trial.run(directory, "store", "import", "archive", "in.json"));
    assertFalse(Files.exists(other.resolveSibling("LOCK")));
    Files.createDirectory(directory.resolve("empty"));
    assertEquals(0, done("store", "import", "empty", "in.json").exitCode());
  }

  @ParameterizedTest
  @EnumSource(StoreMode.class)
  void findsDamageRepairsItAndKeepsTheOriginals(StoreMode mode) throws IOException {
    try (KeyValueStore store = open("s", mode)) {
      for (String key : List.of("first", "second", "third")) {
        store.put(bytes(key), bytes("value of " + key));
      }
    }
    assertEquals(0, done("store", "verify", "s").exitCode());
    String file =
        mode == StoreMode.DATA ? "data-0000000001-0000000001-000000" : "log-0000000000000000001";
    Path damaged = directory.resolve("s").resolve(file);
    byte[] whole = Files.readAllBytes(damaged);
    byte[] flipped = whole.clone();
    flipped[latin(flipped).indexOf("value of second")] ^= 1;
    Files.write(damaged, flipped);

    Trial verify = Trial.run(directory, "store", "verify", "s");
    assertEquals(3, verify.exitCode(), verify.err());
    assertTrue(verify.out().contains(file + " at byte "), verify.out());
    assertTrue(verify.out().contains("second is lost"), verify.out());
    assertTrue(verify.err().contains("store repair s"), verify.err());
    Trial json = Trial.run(directory, "store", "verify", "s", "--json");
    assertEquals(3, json.exitCode(), json.err());
    assertTrue(json.out().contains("\"whole\": false"), json.out());

    Trial dry = Trial.run(directory, "store", "repair", "s", "--dry-run");
    assertEquals(3, dry.exitCode(), dry.err());
    assertEquals(latin(flipped), latin(Files.readAllBytes(damaged)), "nothing was changed");
    Trial repair = Trial.run(directory, "store", "repair", "s", "--report", "report.jsonl");
    assertEquals(3, repair.exitCode(), repair.err());
    assertEquals("", repair.out());
    String report = Files.readString(directory.resolve("report.jsonl"));
    assertEquals(dry.out(), report);
    assertTrue(report.contains("\"key\":\"second\",\"effect\":\"lost\""), report);
    assertTrue(
        report.lines().toList().getLast().startsWith("{\"type\":\"summary\",\"lost\":1,"), report);
    assertFailed(
        2,
        "is there already",
        Trial.run(directory, "store", "repair", "s", "--report", "report.jsonl"));

    assertEquals("value of first", done("store", "get", "s", "first").out());
    assertEquals("value of third", done("store", "get", "s", "third").out());
    assertFailed(1, "no key second", Trial.run(directory, "store", "get", "s", "second"));
    assertEquals(0, done("store", "verify", "s").exitCode());
    try (Stream<Path> kept = Files.list(directory.resolve("s"))) {
      Path aside =
          kept.filter(name -> name.getFileName().toString().startsWith("damaged-"))
              .findFirst()
              .orElseThrow();
      assertEquals(latin(flipped), latin(Files.readAllBytes(aside.resolve(file))));
    }
    Trial again = done("store", "repair", "s");
    assertTrue(again.err().contains("nothing is damaged"), again.err());
  }

  @Test
  void namesTheProcessThatHasTheStoreOpen() throws IOException {
    for (StoreMode mode : StoreMode.values()) {
      String name = mode.text();
      try (KeyValueStore store = open(name, mode)) {
        store.put(bytes("a"), bytes("1"));
        for (String command :
            List.of("stats", "scan", "verify", "repair", "vacuum", "export", "import")) {
          assertFailed(
              1,
              "in use by process " + ProcessHandle.current().pid(),
              Trial.run(directory, "store", command, name));
        }
        assertFailed(
            1, "in use by", Trial.run(directory, "store", "repair", name, "--report", "report"));
        assertFalse(Files.exists(directory.resolve("report")), "or the next run would refuse it");
      }
    }
  }

  @Test
  void saysThatThereIsNoStore() throws IOException {
    Files.createDirectory(directory.resolve("empty"));
    for (String command : List.of("stats", "scan", "verify", "repair", "vacuum", "export")) {
      assertFailed(1, "no", Trial.run(directory, "store", command, "nowhere"));
      assertFailed(1, "empty", Trial.run(directory, "store", command, "empty"));
      assertEquals(0, directory.resolve("empty").toFile().list().length, "nothing is made");
    }
  }

  @ParameterizedTest
  @EnumSource(StoreMode.class)
  void measuresAStoreAndLeavesNothing(StoreMode mode) throws IOException {
    String[] bench = {
      "store",
      "bench",
      ".",
      "--mode",
      mode.text(),
      "--entries",
      "500",
      "--threads",
      "1,3",
      "--duration",
      "50ms"
    };
    Trial trial = done(bench);
    assertTrue(trial.out().contains("put, group commit"), trial.out());
    assertTrue(trial.out().contains("LATENCY us"), trial.out());
    Trial json = done(Stream.concat(Stream.of(bench), Stream.of("--json")).toArray(String[]::new));
    assertTrue(json.out().contains("\"p99Nanos\": "), json.out());
    assertEquals(0, directory.toFile().list().length);
    open("s", mode).close();
    assertFailed(2, "s is a store", Trial.run(directory, "store", "bench", "s"));
    assertFailed(
        2, "nowhere: no such directory", Trial.run(directory, "store", "bench", "nowhere"));
    Files.createFile(directory.resolve("file"));
    assertFailed(2, "file: not a directory", Trial.run(directory, "store", "bench", "file"));
    assertFailed(2, "DIR", Trial.run(directory, "store", "bench"));
    assertFailed(
        2, "--duration", Trial.run(directory, "store", "bench", ".", "--duration", "soon"));
    assertFailed(2, "--entries", Trial.run(directory, "store", "bench", ".", "--entries", "0"));
  }

  @Test
  void loadsLargeValuesInPiecesThatTheHeapHolds() {
    String bench = "store bench . --entries 9 --value-size 4MiB --threads 1 --duration 20ms";
    Trial trial = done(bench.split(" ", -1));
    assertTrue(trial.out().contains("load, 4 at once"), trial.out());
  }

  private KeyValueStore open(String name, StoreMode mode) throws IOException {
    return Stores.open(LinuxFileCalls.create(), PosixPath.of(directory.resolve(name)), mode);
  }

  private Trial done(String... arguments) {
    Trial trial = Trial.run(directory, arguments);
    assertEquals(0, trial.exitCode(), trial.err());
    return trial;
  }

  private static void assertFailed(int exitCode, String message, Trial trial) {
    assertEquals(exitCode, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(message), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertFalse(trial.err().contains("\tat "), trial.err());
  }

  private static ByteArrayInputStream in(String text) {
    return new ByteArrayInputStream(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
