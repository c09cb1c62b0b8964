package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.Samples;
import dev.tailwater.lab.result.LabResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultFileTest {
  @TempDir private Path directory;

  @Test
  void givesBackWhatWasWritten() throws IOException {
    Path file = written(new String(ResultFile.write(Samples.result()), StandardCharsets.UTF_8));
    assertEquals(Samples.result(), ResultFile.read(file));
    assertTrue(ResultFile.isResult(file));
  }

  @Test
  void keepsTheOrderOfConditions() throws IOException {
    Path file = written(new String(ResultFile.write(Samples.result()), StandardCharsets.UTF_8));
    assertEquals(
        List.of("file size", "block size"),
        List.copyOf(ResultFile.read(file).experiments().getFirst().conditions().keySet()));
  }

  @Test
  void tellsMedianAndIntervalToOthers() throws IOException {
    String json = new String(ResultFile.write(Samples.result()), StandardCharsets.UTF_8);
    assertTrue(json.startsWith("{\n  \"format\" : 1,"), json.substring(0, 80));
    assertTrue(json.contains("\"median\" : 105.0"), json.substring(0, 3000));
    assertTrue(json.endsWith("}\n"));
  }

  @Test
  void passesOverFieldsOfLaterVersions() throws IOException {
    String json = new String(ResultFile.write(Samples.result()), StandardCharsets.UTF_8);
    Path file = written(json.replace("\"effort\"", "\"new\" : [ {} ], \"effort\""));
    assertEquals(Samples.result(), ResultFile.read(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                  | is no result of the lab
          hello                               | is no result of the lab: it is not JSON
          []                                  | is no result of the lab
          {"a":1}                             | is no result of the lab
          {"format":"1"}                      | is no result of the lab
          {"format":99999999999999999999}     | is no result of the lab
          {"format":2,"other":true}           | has format 2, and this version of Tailwater knows format 1
          {"format":-1}                       | has format -1
          {"format":1}                        | is a broken result of the lab
          {"format":1,"host":{"facts":[]}     | is a broken result of the lab
          """)
  void refusesWhatIsNoResult(String text, String said) throws IOException {
    Path file = written(text);
    ResultFormatException e =
        assertThrows(ResultFormatException.class, () -> ResultFile.read(file));
    assertTrue(message(e).contains(file + " " + said), message(e));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "table" : "time to write 128 MiB" | "table" : "another"     | there is no table another
          "along" : "chunk"                 | "along" : "another"     | has no another
          "shape" : "LINES"                 | "shape" : "CLOUDS"      | CLOUDS
          "shape" : "LINES"                 | "shape" : 1             | Shape
          "samples" : [ 0.0 ]               | "samples" : [ "NaN" ]   | a sample is a number
          "samples" : [ 0.0 ]               | "samples" : [ ]         | at least one sample
          "samples" : [ 0.0 ]               | "samples" : [ 1e999 ]   | a sample is a number
          "samples" : [ 0.0 ]               | "sample" : [ 0.0 ]      | at least one sample
          "parameters" : [ "4 KiB", "cold" ]| "parameters" : [ "4" ]  | a row of another shape
          "facts" : [ {                     | "facts" : [ null, {     | HostFacts
          "elapsedMillis" : 8123            | "elapsedMillis" : "x"   | long
          "text" : "Warm, none reads."      | "text" : null           | text
          """)
  void refusesWhatIsBroken(String was, String becomes, String said) throws IOException {
    String json = new String(ResultFile.write(Samples.result()), StandardCharsets.UTF_8);
    assertTrue(json.contains(was), was);
    Path file = written(json.replace(was, becomes));
    ResultFormatException e =
        assertThrows(ResultFormatException.class, () -> ResultFile.read(file));
    assertTrue(message(e).contains("is a broken result of the lab"), message(e));
    assertTrue(message(e).contains(said), message(e));
  }

  @Test
  void refusesAnythingThatIsCutOffOrDamagedWithTheOneException() throws IOException {
    byte[] json = ResultFile.write(Samples.result());
    long seed = 20261122;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      byte[] damaged =
          random.nextBoolean() ? json.clone() : Arrays.copyOf(json, random.nextInt(json.length));
      for (int k = 0; k < 3 && damaged.length > 0; k++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Path file = directory.resolve("damaged.json");
      Files.write(file, damaged);
      try {
        LabResult read = ResultFile.read(file);
        ReportPage.html(read);
      } catch (ResultFormatException e) {
        assertTrue(
            message(e).contains("result of the lab") || message(e).contains("has format"),
            message(e));
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", try " + i, e);
      }
    }
  }

  @Test
  void refusesAFileOfMonstrousSizeUnread() throws IOException {
    Path file = directory.resolve("large.json");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {'{'}), ResultFile.MOST_BYTES);
    }
    assertThrows(ResultFormatException.class, () -> ResultFile.read(file));
    assertFalse(ResultFile.isResult(file));
  }

  @Test
  void refusesDeepNesting() throws IOException {
    Path file = written("{\"format\":1,\"x\":" + "[".repeat(100_000));
    assertThrows(ResultFormatException.class, () -> ResultFile.read(file));
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  private Path written(String text) throws IOException {
    return Files.writeString(directory.resolve("result.json"), text);
  }
}
