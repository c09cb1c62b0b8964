package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments of files that consist of lines. */
class CutAtNewlineTest {
  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
  }

  private AgentConfig config(CutAt cutAt, Duration maxAge) {
    Source source = new Source(PosixPath.of(place.logs()), List.of("*.log"), List.of());
    return place.config().toBuilder()
        .sources(List.of(source.cutAt(cutAt)))
        .codec(new Codec.Store())
        .maxAge(maxAge)
        .mergeToBytes(OptionalLong.of(0))
        .build();
  }

  private TestAgent start(AgentConfig config) throws IOException {
    return TestAgent.start(config, archive, TestAgent.REAL_CALLS);
  }

  private void append(String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Returns the ranges of the segments, in order. */
  private List<ByteRange> ranges() throws IOException {
    List<ByteRange> ranges = new ArrayList<>();
    for (var entry : archive.list("", Optional.empty(), Integer.MAX_VALUE).entries()) {
      if (ArchiveNames.parse(entry.key()).orElse(null) instanceof ArchiveObject.Segment segment) {
        ranges.add(segment.range());
      }
    }
    return ranges;
  }

  private byte[] held() throws Exception {
    return archive.contents().bornAt(log.toString()).getFirst().prefix();
  }

  /** Lines of up to so many bytes each, the last without its end. */
  private static byte[] lines(int totalBytes, int longestBytes) {
    Random random = new Random(totalBytes);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < totalBytes) {
      byte[] line = new byte[1 + random.nextInt(longestBytes)];
      random.nextBytes(line);
      for (int i = 0; i < line.length; i++) {
        line[i] = (byte) (line[i] == '\n' ? ' ' : line[i]);
      }
      text.writeBytes(line);
      text.write('\n');
    }
    text.writeBytes("the end".getBytes(StandardCharsets.US_ASCII));
    return text.toByteArray();
  }

  @Test
  void fullSegmentsEndAfterANewline() throws Exception {
    byte[] text = lines(9 << 20, 200_000);
    Files.write(log, text);
    try (TestAgent agent = start(config(CutAt.NEWLINE, Duration.ofHours(1)))) {
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(text, held());
    List<ByteRange> ranges = ranges();
    assertTrue(ranges.size() > 5, ranges::toString);
    assertEquals(text.length, ranges.getLast().endBytes());
    for (ByteRange range : ranges.subList(0, ranges.size() - 1)) {
      assertEquals('\n', text[Math.toIntExact(range.endBytes()) - 1], range::toString);
    }
  }

  @Test
  void aLineThatIsLongerThanTheBoundIsCutAnywhere() throws Exception {
    byte[] text = new byte[5 << 20];
    Files.write(log, text);
    append("\nshort\n");
    try (TestAgent agent = start(config(CutAt.NEWLINE, Duration.ofHours(1)))) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(text.length + 7, held().length);
  }

  @Test
  void anIncompleteLineWaitsOnceAndIsThenDelivered() throws Exception {
    try (TestAgent agent = start(config(CutAt.NEWLINE, Duration.ofMillis(500)))) {
      append("one\ntw");
      agent.awaitDelivered(log);
      assertEquals(List.of(new ByteRange(0, 4), new ByteRange(4, 6)), ranges());
      append("o\nthree\n");
      agent.awaitDelivered(log);
      assertEquals(new ByteRange(6, 14), ranges().getLast());
    }
    assertEquals("one\ntwo\nthree\n", new String(held(), StandardCharsets.UTF_8));
  }

  @Test
  void aDrainTakesWhatIsThereInOneSegment() throws Exception {
    try (TestAgent agent = start(config(CutAt.NEWLINE, Duration.ofHours(1)))) {
      append("one\ntw");
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of(new ByteRange(0, 6)), ranges());
  }

  @Test
  void otherSourcesAreCutAnywhere() throws Exception {
    try (TestAgent agent = start(config(CutAt.ANYWHERE, Duration.ofMillis(500)))) {
      append("one\ntw");
      agent.awaitDelivered(log);
    }
    assertEquals(List.of(new ByteRange(0, 6)), ranges());
  }

  @Test
  void aFileThatIsWrittenAnewBeginsAnewWhateverItEndedWith() throws Exception {
    try (TestAgent agent = start(config(CutAt.NEWLINE, Duration.ofMillis(100)))) {
      append("one\n");
      agent.awaitDelivered(log);
      Files.writeString(log, "anew");
      agent.awaitDelivered(log);
    }
    List<ArchiveContents.StreamContents> streams = archive.contents().bornAt(log.toString());
    assertEquals(2, streams.size());
    assertEquals("one\n", new String(streams.get(0).prefix(), StandardCharsets.UTF_8));
    assertEquals("anew", new String(streams.get(1).prefix(), StandardCharsets.UTF_8));
  }
}
