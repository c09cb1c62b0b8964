package dev.tailwater.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.route.Bandwidth;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations, sizes and names as people write them. */
class ValuesTest {
  @ParameterizedTest
  @CsvSource({"500ms, 500", "1s, 1000", "25s, 25000", "2m, 120000", "1h, 3600000", "1d, 86400000"})
  void readsDurationsAndWritesThemTheSame(String text, long millis) {
    assertEquals(Duration.ofMillis(millis), Durations.parse(text));
    assertEquals(text, Durations.format(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "s",
        "1 s",
        "-1s",
        "1.5s",
        "1S",
        "1sec",
        "9999999999999s",
        "999999999999d"
      })
  void saysWhatADurationIs(String text) {
    var e = assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
    assertTrue(String.valueOf(e.getMessage()).contains("500ms"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"512B, 512", "64KiB, 65536", "8MiB, 8388608", "1GiB, 1073741824", "0B, 0"})
  void readsSizesAndWritesThemTheSame(String text, long bytes) {
    assertEquals(bytes, ByteSizes.parse(text));
    assertEquals(text, ByteSizes.format(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8", "8MB", "8M", "MiB", "-1MiB", "8 MiB", "1.5MiB", "999999999999GiB"})
  void saysWhatASizeIs(String text) {
    var e = assertThrows(IllegalArgumentException.class, () -> ByteSizes.parse(text));
    assertTrue(String.valueOf(e.getMessage()).contains("8MiB"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1048575, 1.0 MiB",
    "157286400, 150 MiB",
    "9223372036854775807, 8192 PiB"
  })
  void showsSizesToPeople(long bytes, String shown) {
    assertEquals(shown, ByteSizes.forPeople(bytes));
  }

  @Test
  void readsBandwidthsWithTimesOfDay() {
    assertEquals(new Bandwidth(List.of(), OptionalLong.of(10 << 20)), Bandwidths.parse("10MiB/s"));
    Bandwidth day = Bandwidths.parse("08:00-18:00 2MiB/s, 22:30-06:00 0B/s,10MiB/s");
    assertEquals(OptionalLong.of(2 << 20), day.bytesPerSecondAt(LocalTime.of(8, 0)));
    assertEquals(OptionalLong.of(2 << 20), day.bytesPerSecondAt(LocalTime.of(17, 59)));
    assertEquals(OptionalLong.of(10 << 20), day.bytesPerSecondAt(LocalTime.of(18, 0)));
    assertEquals(OptionalLong.of(0), day.bytesPerSecondAt(LocalTime.of(22, 30)));
    assertEquals(OptionalLong.of(0), day.bytesPerSecondAt(LocalTime.of(5, 59)));
    assertEquals(OptionalLong.of(10 << 20), day.bytesPerSecondAt(LocalTime.of(6, 0)));
    Bandwidth evening = Bandwidths.parse("18:00-24:00 1KiB/s");
    assertEquals(OptionalLong.of(1024), evening.bytesPerSecondAt(LocalTime.of(23, 59)));
    assertEquals(OptionalLong.empty(), evening.bytesPerSecondAt(LocalTime.of(0, 0)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10MiB",
        "10/s",
        "fast",
        "10MiB/s, 08:00-18:00 2MiB/s",
        "8:00-18:00 2MiB/s",
        "08:00-25:00 2MiB/s",
        "24:00-08:00 2MiB/s",
        "08:00-18:00",
        "1MiB/s,",
        "10MB/s"
      })
  void saysWhatABandwidthIs(String text) {
    var e = assertThrows(IllegalArgumentException.class, () -> Bandwidths.parse(text));
    assertTrue(String.valueOf(e.getMessage()).contains("08:00-18:00 2MiB/s, 10MiB/s"));
  }

  @Test
  void findsTheWordThatWasMeant() {
    List<String> keys = List.of("max_age", "workers", "destination");
    assertEquals(Optional.of("max_age"), NearestWord.to("maxage", keys));
    assertEquals(Optional.of("workers"), NearestWord.to("wrokers", keys));
    assertEquals(Optional.empty(), NearestWord.to("colour", keys));
    assertEquals(Optional.of("ls"), NearestWord.to("LS", List.of("cat", "ls")));
    assertEquals(Optional.of("--at"), NearestWord.to("-at", List.of("--at", "--to")));
  }

  @Test
  void takesNoWordForTheOneThatWasMeantOfWhichHalfIsAnother() {
    assertEquals(Optional.empty(), NearestWord.to("", List.of("ls")));
    assertEquals(Optional.empty(), NearestWord.to("put", List.of("get")));
    assertEquals(Optional.empty(), NearestWord.to("--tag", List.of("--to")));
  }

  @Test
  void countsEdits() {
    assertEquals(0, NearestWord.edits("same", "same"));
    assertEquals(4, NearestWord.edits("", "four"));
    assertEquals(3, NearestWord.edits("kitten", "sitting"));
  }

  @Test
  void showsControlCharactersInsteadOfObeyingThem() {
    assertEquals("a\\u001b[31m", Printable.line("a\u001b[31m"));
    assertEquals("two\\u000alines", Printable.line("two\nlines"));
    assertEquals("two\nlines", Printable.text("two\nlines"));
    assertEquals("\\u202eevil", Printable.line("\u202eevil"));
    assertEquals("grüße 漢字", Printable.line("grüße 漢字"));
  }

  @Test
  void theReasonOfAFailureIsMoreThanThePath() {
    assertEquals("permission denied", Printable.reason(new AccessDeniedException("/k")));
    assertEquals("no such file", Printable.reason(new NoSuchFileException("/k")));
    assertEquals("why", Printable.reason(new FileSystemException("/k", null, "why")));
    assertEquals("Is a directory", Printable.reason(new IOException("Is a directory")));
  }
}
