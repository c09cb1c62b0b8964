package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code tailwater estimate} calculates from a configuration. */
class EstimateCommandTest {
  private static final String TO_S3 = "sources: logs\ndestination: s3://logs/web\n";
  private static final String OFF = "packs: off\n";

  @TempDir private Path directory;

  @BeforeEach
  void writeConfiguration() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    configure(TO_S3);
  }

  private void configure(String yaml) throws IOException {
    Files.writeString(directory.resolve("c.yaml"), yaml);
  }

  private Trial run(String arguments) {
    return Trial.run(directory, ("estimate c.yaml " + arguments).split(" "));
  }

  private JsonText json(String arguments) throws IOException {
    Trial trial = run("--json " + arguments);
    assertEquals(0, trial.exitCode(), trial.err());
    return JsonText.parse(trial.out());
  }

  private static void assertLine(Trial trial, String pattern) {
    assertTrue(
        trial.out().lines().anyMatch(line -> line.matches(pattern)), pattern + "\n" + trial.out());
  }

  @Test
  void aTableShowsTheConfiguredStoreFirst() throws IOException {
    configure(TO_S3 + OFF + "merge_to: off\n");
    Trial trial = run("--rate 100,1000");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals("", trial.err());
    List<String> lines = trial.out().lines().toList();
    assertEquals("100 files grow, by 97.7 KiB/s in all", lines.getFirst());
    assertTrue(lines.get(3).startsWith("S3 Standard *"), trial.out());
    assertTrue(lines.get(4).startsWith("GCS Standard "), trial.out());
    assertTrue(lines.get(5).startsWith("Azure Blob Hot LRS "), trial.out());
    assertLine(
        trial, "S3 Standard \\* +72 061 +51.9M +43 875 +51.8M +56.0 GiB +259.42 +1.29 +260.71");
    assertLine(trial, ".*\\*: configured, s3://logs/web");
    assertLine(trial, "With packs: on at S3 Standard: 781 PUT/hour, USD .* which saves USD .*");
    assertTrue(trial.out().contains("max_age 5s, segment_size 8MiB, merge_to off, packs off"));
    assertTrue(trial.out().contains("without transfer"), trial.out());
    assertTrue(trial.out().contains("S3 Standard us-east-1"), trial.out());
  }

  @Test
  void moreThanCanBeCountedIsRefused() {
    for (String rate : List.of("1000000000,1000000000", "999999999999,999999999999")) {
      Trial trial = run("--rate " + rate);
      assertEquals(2, trial.exitCode(), trial.out());
      assertTrue(trial.err().contains("--rate: a month would store more than 8 EiB"), trial.err());
      assertEquals("", trial.out());
    }
  }

  @Test
  void lessThanAByteASecondIsSaidAsItIs() {
    assertTrue(run("--rate 1,0.5").out().startsWith("1 file grows by 0.5 B/s\n"));
    assertTrue(run("--rate 3,0.1").out().startsWith("3 files grow, by 0.3 B/s in all\n"));
    assertTrue(run("--rate 1,10.25").out().startsWith("1 file grows by 10.3 B/s\n"));
    assertTrue(run("--rate 1,100.5").out().startsWith("1 file grows by 101 B/s\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,0.1", "1,1000", "100,1000", "1000000,1000000", "999999999999,0.1"})
  void theOutputFitsIntoAHundredColumns(String rate) {
    Trial trial = run("--rate " + rate);
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.out().lines().allMatch(line -> line.length() <= 100), trial.out());
  }

  @Test
  void packsThatAreOnAreComparedWithoutThem() throws IOException {
    configure(TO_S3 + "packs: on\n");
    JsonText estimate = json("--rate 100,1000");
    JsonText first = estimate.objects("stores").getFirst();
    assertTrue(first.isTrue("usesPacks"));
    assertEquals("s3://logs/web", first.text("destination"));
    assertEquals("798.095006", first.text("putsPerHour"));
    assertEquals(518_400 + 43_875, first.object("month").number("deletes"));
    assertEquals("76882.38072", first.object("otherPacks").text("putsPerHour"));
    assertTrue(run("--rate 100,1000").out().contains("With packs: off at S3 Standard: 76 882"));
  }

  @Test
  void packsByThemselvesAreThoseThatAnAgentWouldMake() throws IOException {
    assertTrue(json("--rate 16,1000").objects("stores").getFirst().isTrue("usesPacks"));
    assertFalse(json("--rate 15,1000").objects("stores").getFirst().isTrue("usesPacks"));
    assertTrue(run("--rate 16,1000").out().contains("packs auto (in use)"));
    configure("sources: [{path: logs, cut_at: newline}]\ndestination: s3://logs/web\n");
    assertFalse(json("--rate 16,1000").objects("stores").getFirst().isTrue("usesPacks"));
    Trial keygen = Trial.run(directory, "keygen", "-o", "key.txt");
    assertEquals(0, keygen.exitCode(), keygen.err());
    String recipient =
        Files.readString(directory.resolve("key.txt"))
            .replaceAll("(?s).*public key: (\\S+).*", "$1");
    configure(TO_S3 + "encrypt_to: " + recipient + "\n");
    assertTrue(json("--rate 16,1000").objects("stores").getFirst().isTrue("usesPacks"));
    configure(TO_S3 + "encrypt_to: " + recipient + "\ncontent_check: off\n");
    assertFalse(json("--rate 16,1000").objects("stores").getFirst().isTrue("usesPacks"));
    assertTrue(run("--rate 16,1000").out().contains("packs: on is not possible"));
  }

  @Test
  void whatASmallSavingIsWorthIsNotPraised() {
    Trial trial = run("--rate 1,1000");
    assertTrue(trial.out().contains("about the same"), trial.out());
  }

  @Test
  void packsThatCannotBeSwitchedOnAreSaid() throws IOException {
    configure(TO_S3 + "compress: gzip:6\n");
    Trial trial = run("--rate 100,1000");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.out().contains("packs: on is not possible: packs are never compressed"));
    assertFalse(json("--rate 100,1000").objects("stores").getFirst().has("otherPacks"));
  }

  @Test
  void aDirectoryCostsNothingAndTheStoresAreCalculatedWithTheirOwnAge() throws IOException {
    configure("sources: logs\ndestination: archive\nmerge_to: off\n" + OFF);
    Trial trial = run("--rate 100,1000");
    assertLine(trial, "directory \\* +360k .* - +- +-");
    assertLine(trial, "S3 Standard +72 061 .*");
    assertTrue(
        trial.out().contains("max_age 1s for directory, 5s for S3 Standard and GCS"), trial.out());
    assertFalse(Files.exists(directory.resolve("archive")), "nothing is made");
  }

  @Test
  void severalDestinationsShareTheLongestAge() throws IOException {
    configure("sources: logs\ndestinations: [archive, 'gs://logs/web']\nmerge_to: off\n" + OFF);
    List<JsonText> stores = json("--rate 100,1000").objects("stores");
    assertEquals(
        List.of("directory", "GCS Standard", "S3 Standard", "Azure Blob Hot LRS"),
        stores.stream().map(store -> store.text("store")).toList());
    assertTrue(stores.stream().allMatch(store -> store.text("putsPerHour").equals("72060.952148")));
  }

  @Test
  void theSettingsOfTheFileCount() throws IOException {
    configure(TO_S3 + OFF + "max_age: 30s\nmerge_to: off\ncompress: store\n");
    JsonText estimate = json("--rate 100,1000");
    assertEquals("12060.952148", estimate.objects("stores").getFirst().text("putsPerHour"));
    assertEquals(1, estimate.number("ratio"));
    configure(
        "sources: logs\ndestination: 's3://logs/web?retain=30d&storage-class=GLACIER_IR'\n" + OFF);
    Trial trial = run("--rate 100,1000");
    assertTrue(trial.out().contains("retained objects are not merged"), trial.out());
    assertTrue(trial.out().contains("priced as S3 Standard, although"), trial.out());
    assertLine(trial, "S3 Standard \\* +72 061 .*");
  }

  @Test
  void severalRatesAddUp() throws IOException {
    configure(TO_S3 + OFF + "merge_to: off\n");
    JsonText estimate = json("--rate 100,1000 --rate 50,10 --ratio 0.5");
    assertEquals(150, estimate.number("files"));
    assertEquals(100_500, estimate.number("bytesPerSecond"));
    assertEquals("0.5", estimate.text("ratio"));
    assertEquals("108060.952148", estimate.objects("stores").getFirst().text("putsPerHour"));
  }

  @Test
  void pricesOfTheUserReplaceThoseOfTheProgram() throws IOException {
    Files.writeString(
        directory.resolve("p.yaml"),
        """
        date: 2026-01-31
        currency: EUR
        stores:
          - {name: Ours, kind: s3, region: cellar, put_per_1000: 1, list_per_1000: 0,
             get_per_1000: 0, delete_per_1000: 0, gib_month: 0}
        """);
    configure(TO_S3 + OFF + "merge_to: off\n");
    Trial trial = run("--rate 100,1000 --prices p.yaml");
    assertLine(trial, "Ours \\* .* 51883.89 +0.00 +51883.89");
    assertTrue(trial.out().contains("List prices in EUR of 2026-01-31 (Ours cellar)"), trial.out());
    assertFalse(trial.out().contains("Azure"), trial.out());
  }

  @Test
  void filesThatReallyGrowAreMeasured() throws Exception {
    configure(
        "sources: [{path: logs, exclude: '*.tmp'}]\ndestination: s3://logs/web\nstate: state\n");
    for (String name : new String[] {"a.log", "b.log", "quiet.log", "c.tmp"}) {
      Files.writeString(directory.resolve("logs/" + name), "text\n");
    }
    AtomicBoolean enough = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!enough.get()) {
                    append("a.log");
                    append("b.log");
                    append("c.tmp");
                  }
                });
    Trial trial;
    try {
      trial = run("--measure 1s --json");
    } finally {
      enough.set(true);
      writer.join();
    }
    assertEquals(0, trial.exitCode(), trial.err());
    JsonText estimate = JsonText.parse(trial.out());
    assertEquals(2, estimate.number("files"), "without the quiet one, and the one left out");
    assertTrue(Double.parseDouble(text(estimate)) > 0, trial.out());
    assertTrue(trial.err().contains("2 of 3 files grew"), trial.err());
    assertFalse(Files.exists(directory.resolve("state")), "nothing is made");
  }

  private static String text(JsonText estimate) {
    return estimate.has("bytesPerSecond") && estimate.text("bytesPerSecond").isEmpty()
        ? Long.toString(estimate.number("bytesPerSecond"))
        : estimate.text("bytesPerSecond");
  }

  private void append(String name) {
    try {
      Files.writeString(
          directory.resolve("logs/" + name), "more text\n", StandardOpenOption.APPEND);
      Thread.sleep(2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void quietFilesGiveNothingToCalculate() throws IOException {
    configure(TO_S3 + "state: state\n");
    Trial none = run("--measure 1s");
    assertEquals(1, none.exitCode(), none.err());
    assertTrue(none.err().contains("no file belongs to the sources"), none.err());
    Files.writeString(directory.resolve("logs/quiet.log"), "text\n");
    Trial quiet = run("--measure 1s");
    assertEquals(1, quiet.exitCode(), quiet.err());
    assertTrue(quiet.err().contains("nothing was written meanwhile"), quiet.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--json                          | it is not known how the files grow",
        "--rate 1,1 --measure 1s         | --rate and --measure are both given",
        "--rate 100                      | --rate: expected a number of files",
        "--rate 0,1                      | --rate: expected a number of files",
        "--rate 1,0.0                    | --rate: expected a number of files",
        "--rate 1,-1                     | --rate: expected a number of files",
        "--rate 1,1e3                    | --rate: expected a number of files",
        "--rate 1,NaN                    | --rate: expected a number of files",
        "--measure soon                  | --measure: expected a duration",
        "--measure 10ms                  | --measure: expected 1s to 1d",
        "--rate 1,1 --ratio 2            | --ratio: expected a number from 0.001 to 1",
        "--rate 1,1 --ratio 0            | --ratio: expected a number from 0.001 to 1",
        "--rate 1,1 --ratio good         | --ratio: expected a number from 0.001 to 1",
        "--rate 1,1 --prices absent.yaml | absent.yaml: no such table of prices",
        "--rate 1,1 --prices c.yaml      | c.yaml: sources: unknown key",
        "--rate 1,1 --prises c.yaml      | unknown option '--prises'"
      })
  void wrongUsageIsSaid(String arguments, String message) {
    Trial trial = run(arguments);
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(message), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertEquals("", trial.out());
  }

  @Test
  void aRatioOfWhatIsNotCompressedIsWrongUsage() throws IOException {
    configure(TO_S3 + "compress: store\n");
    Trial trial = run("--rate 1,1 --ratio 0.5");
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("compress is store"), trial.err());
  }

  @Test
  void aFaultyConfigurationIsWrongUsage() throws IOException {
    configure("sources: logs\ndestination: archive\nmaxage: 1s\n");
    Trial trial = run("--rate 1,1");
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("c.yaml:3:1: unknown key 'maxage'"), trial.err());
  }
}
