package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on a real archive, in a directory. */
class ArchiveCommandsTest {
  private static final byte[] LOG = "first\r\nsecond\0third".getBytes(StandardCharsets.UTF_8);

  private static final String SHIP =
      "ship --once --agent web-1 --state state --encrypt-to recipients.txt logs archive";

  @TempDir private Path directory;

  @BeforeEach
  void ship() throws IOException {
    Files.createDirectories(directory.resolve("logs/sub"));
    Files.write(directory.resolve("logs/a.log"), LOG);
    Files.writeString(directory.resolve("logs/sub/ü b.log"), "grüße\n".repeat(1000));
    Files.createFile(directory.resolve("logs/empty"));
    Trial.run(directory, "keygen", "-o", "key.txt");
    String recipient =
        Files.readString(directory.resolve("key.txt"))
            .lines()
            .filter(line -> line.startsWith("# public key: "))
            .findFirst()
            .orElseThrow()
            .substring("# public key: ".length());
    Files.writeString(directory.resolve("recipients.txt"), recipient + "\n");
    Trial trial = Trial.run(directory, SHIP.split(" "));
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("nothing is left"), trial.err());
    assertEquals("", trial.out());
  }

  @Test
  void aRunSaysAllThatItDeliveredWheneverItWasDelivered() throws IOException {
    for (int i = 0; i < 200; i++) {
      Files.writeString(Files.createDirectories(directory.resolve("many")).resolve("" + i), "x");
    }
    Trial trial = run(0, "ship --once --state s --max-age 10ms many archive4".split(" "));
    assertTrue(trial.err().contains("delivered 200 B in "), trial.err());
  }

  @Test
  void namesASourceThatDoesNotExistAndIsNotContentWithTheRest() {
    Trial some =
        Trial.run(directory, "ship --once --state state2 logs nothere archive2".split(" "));
    assertEquals(3, some.exitCode(), some.err());
    assertTrue(some.err().contains("nothere does not exist"), some.err());
    Trial none = Trial.run(directory, "ship --once --state state3 nothere archive3".split(" "));
    assertEquals(1, none.exitCode(), none.err());
  }

  @Test
  void lsListsEveryStreamForPeople() {
    Trial trial = Trial.run(directory, "ls", "archive");
    assertEquals(0, trial.exitCode(), trial.err());
    List<String> lines = trial.out().lines().toList();
    assertEquals(4, lines.size(), trial.out());
    assertTrue(lines.getFirst().startsWith("STREAM"), trial.out());
    assertTrue(lines.get(1).endsWith(directory.resolve("logs/a.log").toString()), trial.out());
    assertTrue(trial.err().startsWith("3 streams"), trial.err());
  }

  @Test
  void lsListsEveryStreamForPrograms() throws IOException {
    JsonText json = JsonText.parse(run(0, "ls", "archive", "--json").out());
    assertEquals(directory.resolve("archive").toUri().getPath() + "", path(json));
    List<JsonText> streams = json.objects("streams");
    assertEquals(3, streams.size());
    JsonText first = streams.getFirst();
    assertEquals("web-1", first.text("agent"));
    assertEquals(directory.resolve("logs/a.log").toString(), first.text("path"));
    assertEquals(LOG.length, first.number("sizeBytes"));
    assertEquals(LOG.length, first.number("availableBytes"));
    assertEquals(1, first.number("segments"));
    assertEquals("live", first.text("state"));
    assertEquals(List.of(), first.objects("missing"));
  }

  @Test
  void catIsNotSureOfAFileWhileAPackCannotBeRead() throws IOException {
    Path log = Files.createDirectories(directory.resolve("packed")).resolve("log");
    String ship = "ship --once --packs on --state packed-state packed packs";
    Files.writeString(log, "one\n");
    run(0, ship.split(" "));
    List<Path> before = packs();
    Files.writeString(log, "two\n", StandardOpenOption.APPEND);
    run(0, ship.split(" "));
    assertEquals("one\ntwo\n", run(0, "cat", "packs", log.toString()).out());
    for (Path pack : packs()) {
      if (!before.contains(pack)) {
        byte[] damaged = Files.readAllBytes(pack);
        damaged[20] ^= 1;
        Files.write(pack, damaged);
      }
    }

    Trial cat = run(3, "cat", "packs", log.toString());

    assertEquals("one\n", cat.out());
    assertTrue(cat.err().contains("checksum"), cat.err());
  }

  private List<Path> packs() throws IOException {
    try (var found = Files.walk(directory.resolve("packs"))) {
      return found
          .filter(path -> path.toString().contains("~packs/"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  @Test
  void lsOfWhatIsNotThereFails() {
    Trial trial = run(1, "ls", "archive", "--only", "*.nothing");
    assertTrue(trial.err().contains("Hint: "), trial.err());
  }

  @Test
  void anUnknownTimeZoneIsSaidWhereAtIsInIt() {
    assumeTrue(
        ZoneId.systemDefault().getRules().equals(ZoneOffset.UTC.getRules()), "as the JVM does");
    Map<String, String> unknown = Map.of("TZ", "Nowhere/Town");
    String said = "tailwater: TZ is Nowhere/Town, which is no known time zone: --at is in UTC";
    Trial local = Trial.run(directory, unknown, "ls", "archive", "--at", "2099-01-01T03:00");
    assertTrue(local.err().contains(said), local.err());
    Trial exact = Trial.run(directory, unknown, "ls", "archive", "--at", "2099-01-01T03:00Z");
    assertFalse(exact.err().contains("TZ"), exact.err());
    Trial known =
        Trial.run(
            directory, Map.of("TZ", "Europe/Paris"), "ls", "archive", "--at", "2099-01-01T03:00");
    assertFalse(known.err().contains("TZ"), known.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls archive",
        "verify archive",
        "verify --names-only archive",
        "verify --against logs archive",
        "restore archive restored",
        "restore --dry-run archive restored"
      })
  void whereNothingIsWhatTheOptionsAskForThatIsSaid(String command) {
    for (String selection : List.of("--agent nobody", "--only *.nothing")) {
      Trial trial = run(1, (command + " " + selection + " --identity key.txt").split(" "));
      assertTrue(
          trial
              .err()
              .contains("tailwater: no stream is what --only and --agent ask for\nHint: without"),
          trial.err());
    }
  }

  @Test
  void catPrintsExactlyTheBytes() {
    Trial trial =
        run(
            0,
            "cat",
            "archive",
            directory.resolve("logs/a.log").toString(),
            "--identity",
            "key.txt");
    assertArrayEquals(LOG, trial.out().getBytes(StandardCharsets.UTF_8));
    assertEquals(
        "authenticity was not checked: --trust KEY says whose signatures count\n", trial.err());
  }

  @Test
  void catWithoutTheKeyPrintsNothingAndSaysWhy() {
    Trial trial = run(1, "cat", "archive", directory.resolve("logs/a.log").toString());
    assertEquals("", trial.out());
    assertTrue(trial.err().contains("--identity"), trial.err());
  }

  @Test
  void catOfAnUnknownStreamFails() {
    assertTrue(run(1, "cat", "archive", "/nowhere").err().contains("Hint: "));
  }

  @Test
  void catOfAPathThatATruncatedFileMayHaveLeftNamesWhatCanBePrinted() throws IOException {
    Path file =
        Files.writeString(Files.createDirectory(directory.resolve("more")).resolve("f"), "old");
    String ship = "ship --once --agent web-1 --state state5 more archive5";
    run(0, ship.split(" "));
    Files.writeString(file, "NE");
    run(0, ship.split(" "));
    Path moved = Files.move(file, file.resolveSibling("g"));
    run(0, ship.split(" "));
    Files.createLink(file, moved);

    Trial trial = run(1, "cat", "archive5", file.toString());

    assertEquals("", trial.out());
    assertTrue(trial.err().contains("the archive has it at " + moved), trial.err());
    assertEquals("NE", run(0, "cat", "archive5", moved.toString()).out());
    Matcher former = Pattern.compile("cat (\\S+) what it held before").matcher(trial.err());
    assertTrue(former.find(), trial.err());
    assertEquals("old", run(0, "cat", "archive5", former.group(1)).out());
  }

  @Test
  void restoreIntoTheArchiveIsRefusedAndChangesNothing() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("archive"));
    List<Path> before = paths("archive");
    for (String target : List.of("archive", "archive/web-1/new", "link", link + "/a/b")) {
      Trial trial = run(2, "restore", "archive", target, "--identity", "key.txt");
      assertTrue(trial.err().contains("is in the archive"), trial.err());
    }
    run(2, "restore", directory.resolve("link").toUri().toString(), "archive/x");
    assertEquals(before, paths("archive"));
    run(0, "restore", "archive", "archive2", "--identity", "key.txt");
  }

  private List<Path> paths(String below) throws IOException {
    try (Stream<Path> found = Files.walk(directory.resolve(below))) {
      return found.sorted().toList();
    }
  }

  @Test
  void restoreSaysWhichFilesCouldNotGetNamesOfUnfinishedOnes() throws IOException {
    Path file = Files.createDirectory(directory.resolve("odd")).resolve(".tailwater-a.partial");
    Files.writeString(file, "x");
    run(0, "ship --once --state state6 odd archive6".split(" "));

    Trial trial = run(0, "restore", "archive6", "out6");

    assertTrue(trial.err().contains("1 file has a stream's id in the name"), trial.err());
    assertTrue(trial.err().contains(file + " is "), trial.err());
  }

  @Test
  void restoreGivesEveryByteBackAndTheSecondTimeFetchesNothing() throws IOException {
    Trial first = run(0, "restore", "archive", "out", "--identity", "key.txt", "--json");
    assertTrue(first.err().contains("restored 3 files"), first.err());
    JsonText json = JsonText.parse(first.out());
    assertEquals("done", json.text("outcome"));
    assertEquals("restored", json.objects("streams").getFirst().text("result"));
    for (String name : new String[] {"logs/a.log", "logs/sub/ü b.log", "logs/empty"}) {
      Path source = directory.resolve(name);
      Path copy = directory.resolve("out").resolve(Path.of("/").relativize(source));
      assertEquals(-1, Files.mismatch(source, copy), name);
    }
    Trial second = run(0, "restore", "archive", "out", "--identity", "key.txt");
    assertTrue(second.err().contains("3 already there"), second.err());
    assertEquals("", second.out());
  }

  @Test
  void anArchiveIsReadAsItWasAtAMoment() throws IOException {
    String path = directory.resolve("logs/a.log").toString();
    Files.writeString(directory.resolve("logs/a.log"), "more", StandardOpenOption.APPEND);
    run(0, SHIP.split(" "));
    String later = Instant.now().plusSeconds(3600).toString();
    assertEquals(
        LOG.length + 4,
        run(0, "cat", "archive", path, "--identity", "key.txt", "--at", later).out().length());
    run(0, "restore", "archive", "then", "--identity", "key.txt", "--at", later);
    Trial before = run(1, "ls", "archive", "--at", "2001-02-03T04:05:06+01:00");
    assertTrue(before.err().contains("at that moment"), before.err());
    assertTrue(before.err().contains("Hint: "), before.err());
    assertTrue(run(1, "cat", "archive", path, "--at", "2001-02-03 04:05").err().contains("moment"));
    run(1, "restore", "archive", "never", "--identity", "key.txt", "--at", "2001-02-03T04:05");
  }

  @Test
  void aTimeThatIsNoneIsRefusedWithAnExample() {
    for (String time : List.of("yesterday", "2026-13-01T00:00", "2026-11-24", "03:00")) {
      Trial trial = run(2, "restore", "archive", "out", "--at", time);
      assertTrue(trial.err().contains("--at: expected a time, not " + time), trial.err());
      assertTrue(trial.err().contains("for example --at 2026-11-24T03:00:00Z"), trial.err());
    }
  }

  @Test
  void restoreWithAMissingSegmentListsTheRangeAndEndsWithThree() throws IOException {
    Path source = directory.resolve("logs/a.log");
    Files.write(source, Stream.of(LOG, LOG).reduce((a, b) -> concat(a, b)).orElseThrow());
    run(0, SHIP.split(" "));
    Files.delete(segmentOf("a.log", LOG.length));
    Trial trial = run(3, "restore", "archive", "out", "--identity", "key.txt");
    assertTrue(trial.err().contains("missing  bytes 0 to " + LOG.length), trial.err());
    assertTrue(trial.err().contains("1 incomplete"), trial.err());
  }

  @Test
  void verifySaysThatEverythingOpens() throws IOException {
    Trial trial = run(0, "verify", "archive", "--identity", "key.txt", "--json");
    JsonText json = JsonText.parse(trial.out());
    assertEquals("done", json.text("outcome"));
    assertTrue(json.objects("streams").stream().allMatch(stream -> stream.isTrue("complete")));
  }

  @Test
  void verifyFindsADamagedSegment() throws IOException {
    Path segment = segmentOf("a.log", LOG.length);
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length - 10] ^= 1;
    Files.write(segment, bytes);
    Trial trial = run(3, "verify", "archive", "--identity", "key.txt");
    assertTrue(trial.err().contains("damaged"), trial.err());
    assertTrue(trial.err().contains("2 of 3 streams"), trial.err());
  }

  @Test
  void verifyByNamesNeedsNoKey() {
    assertTrue(run(0, "verify", "archive", "--names-only").err().contains("3 of 3"));
  }

  @Test
  void verifyAgainstTheSourceFindsWhatIsNotDelivered() throws IOException {
    String[] command =
        "verify archive --against logs --content-check-key-file state/content-check.key".split(" ");
    assertTrue(run(0, command).err().contains("3 of 3"));
    Files.write(directory.resolve("logs/a.log"), concat(LOG, LOG));
    Trial trial = run(3, command);
    assertTrue(trial.err().contains("undelivered"), trial.err());
    assertFalse(trial.err().contains("different"), trial.err());
  }

  @Test
  void theStoreOfTheAgentCanBeLookedInto() throws IOException {
    assertTrue(run(0, "store", "verify", "state").out().contains("whole"));
    JsonText stats = JsonText.parse(run(0, "store", "stats", "state", "--json").out());
    assertTrue(stats.number("keys") > 0);
    List<JsonText> entries =
        JsonText.parse(run(0, "store", "scan", "state", "--json").out()).objects("entries");
    assertEquals(stats.number("keys"), entries.size());
    String key = entries.getFirst().text("key");
    String value = entries.getFirst().text("value");
    JsonText one = JsonText.parse(run(0, "store", "get", "state", key, "--json").out());
    assertEquals(value, one.text("value"));
    run(1, "store", "get", "state", "no such key");
  }

  @Test
  void statusWithoutAgentTellsWhatTheLastOneLeft() throws IOException {
    Trial idle = run(0, "status", "--state", "state");
    assertTrue(idle.out().contains("not running"), idle.out());
    assertTrue(idle.out().contains("nothing"), idle.out());
    run(0, "status", "--state", "state", "logs/a.log");

    Files.write(directory.resolve("logs/a.log"), concat(LOG, LOG));
    JsonText json = JsonText.parse(run(0, "status", "--state", "state", "--json").out());
    assertFalse(json.isTrue("running"));
    assertEquals(LOG.length, json.number("atRiskBytes"));
    Trial file = run(3, "status", "--state", "state", "logs/a.log");
    assertTrue(file.out().contains("no"), file.out());
  }

  @Test
  void shipsToSeveralDestinationsAndSaysHowEachFares() throws IOException {
    Files.writeString(directory.resolve("file"), "no directory");
    Trial trial =
        run(
            0,
            "ship --once --state s logs --to a --to b --to-best-effort file/c --bandwidth 1GiB/s"
                .split(" "));
    assertTrue(trial.err().contains("/a: delivered"), trial.err());
    assertTrue(trial.err().contains("/b: delivered"), trial.err());
    assertTrue(trial.err().contains("/file/c (best effort): delivered 0 B, lacks"), trial.err());
    assertTrue(trial.err().contains("best effort: open file:"), trial.err());
    run(0, "verify", "a", "--against", "logs");
    run(0, "verify", "b", "--against", "logs");

    Trial status = run(0, "status", "--state", "s");
    assertTrue(status.out().contains("best effort"), status.out());
    JsonText json = JsonText.parse(run(0, "status", "--state", "s", "--json").out());
    assertEquals(0, json.number("atRiskBytes"));
    assertEquals(3, json.objects("destinations").size());
    JsonText last = json.objects("destinations").getLast();
    assertFalse(last.isTrue("required"));
    assertTrue(last.text("uri").endsWith("/file/c"));
    Trial file = run(0, "status", "--state", "s", "logs/a.log");
    assertTrue(file.out().contains("yes"), file.out());
  }

  @Test
  void aRequiredDestinationThatCannotBeOpenedMakesARunPartial() throws IOException {
    Files.writeString(directory.resolve("file"), "no directory");
    Trial trial = run(3, "ship --once --state s logs --to a --to file/c".split(" "));
    assertTrue(trial.err().contains("left behind:"), trial.err());
    assertTrue(trial.err().contains("/a: delivered"), trial.err());
    assertTrue(trial.err().contains("/file/c: delivered 0 B, lacks"), trial.err());
    run(0, "verify", "a", "--against", "logs");
    run(3, "status", "--state", "s", "logs/a.log");
    run(1, "ship --once --state s2 logs file/c".split(" "));
  }

  @Test
  void shippingAgainDeliversNothingTwice() throws IOException {
    List<Path> before = objects();
    run(0, SHIP.split(" "));
    assertEquals(before, objects());
  }

  private List<Path> objects() throws IOException {
    try (Stream<Path> paths = Files.walk(directory.resolve("archive"))) {
      return paths.filter(path -> path.toString().endsWith(".age")).sorted().toList();
    }
  }

  private Path segmentOf(String name, long endBytes) throws IOException {
    String end = "0000000000000000000-" + String.format("%019d", endBytes) + ".zst.age";
    return objects().stream()
        .filter(path -> path.toString().contains("/" + name + "/") && path.endsWith(end))
        .findFirst()
        .orElseThrow();
  }

  private static String path(JsonText json) {
    return java.net.URI.create(json.text("destination")).getPath() + "/";
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private Trial run(int exitCode, String... args) {
    Trial trial = Trial.run(directory, args);
    assertEquals(exitCode, trial.exitCode(), trial.err());
    return trial;
  }
}
