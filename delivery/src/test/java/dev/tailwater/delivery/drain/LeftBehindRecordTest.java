package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader takes the record, however much there is to say, and whatever files are called. */
class LeftBehindRecordTest {
  private static final String AGENT = "web-1";
  private static final int MANY = 30_000;
  private static final int LONG = 3_000;

  private static StreamId stream(int number) {
    FileIdentity identity = new FileIdentity(1, number, OptionalLong.empty(), OptionalLong.of(1));
    return StreamId.of(AGENT, identity, 0);
  }

  private static <T> List<T> many(int count, IntFunction<T> each) {
    return IntStream.range(0, count).mapToObj(each).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u0001", "\"", "ü", "\ud83d\ude00"})
  void aReaderTakesTheLongestRecord(String character) throws Exception {
    IntFunction<PosixPath> path =
        number -> PosixPath.of("/" + character.repeat(number % 50 == 0 ? 700 : 9) + number);
    List<LeftBehind> left =
        many(
            MANY,
            i ->
                new LeftBehind(
                    path.apply(i),
                    stream(i),
                    List.of(new ByteRange(0, 1), new ByteRange(2, 3)),
                    true));
    List<PosixPath> names = many(Losses.MOST_NAMES, _ -> PosixPath.of("/" + character.repeat(900)));
    Losses.Report losses =
        new Losses.Report(
            MANY,
            names,
            MANY,
            names,
            MANY,
            many(100, i -> new Losses.Changed(names.get(i), stream(i))));
    LeftBehindRecord.Drained drained =
        new LeftBehindRecord.Drained(
            new DestinationDrain("archive", true, 0, 0, left),
            many(LeftBehindRecord.MOST_COMPLETE, i -> stream(MANY + i)),
            many(MANY, i -> i + character.repeat(LONG)));
    byte[] json =
        new LeftBehindRecord(AGENT, 1, 0, Duration.ZERO, List.of(drained), losses)
            .toJson(drained, Optional.of(true));

    assertTrue(json.length <= LastDrain.MAX_BYTES, json.length + " bytes");
    LastDrain read = LastDrain.fromJson(json, AGENT);
    assertEquals(MANY, read.leftFiles());
    assertEquals(2 * MANY, read.leftBytes());
    assertTrue(read.streams().size() > 1_000, read.streams().size() + " streams");
    assertEquals(MANY, read.missed().count());
    assertEquals(MANY, read.problems().count());
    assertTrue(!read.problems().first().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\b", "\u001b\u202e\n", "\ufffd", "%"})
  void hasTheExactPathsOfFiles(String name) throws Exception {
    assertIsRead(PosixPath.of("/" + name));
  }

  /** As text it would be longer than any path. */
  @Test
  void hasTheExactPathOfALongNameThatIsNoText() throws Exception {
    byte[] path = new byte[4_000];
    Arrays.fill(path, (byte) 0xff);
    path[0] = '/';
    path[200] = '/';
    assertIsRead(PosixPath.of(path));
  }

  private static void assertIsRead(PosixPath path) throws Exception {
    LeftBehindRecord.Drained drained =
        new LeftBehindRecord.Drained(
            new DestinationDrain(
                "d",
                true,
                0,
                0,
                List.of(new LeftBehind(path, stream(1), List.of(new ByteRange(0, 1)), false))),
            List.of(),
            List.of());
    byte[] json =
        new LeftBehindRecord(AGENT, 1, 0, Duration.ZERO, List.of(drained), Losses.Report.NONE)
            .toJson(drained, Optional.of(true));
    assertEquals(path, LastDrain.fromJson(json, AGENT).streams().getFirst().path());
  }
}
