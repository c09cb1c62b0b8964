package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamSums;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
  private static final int MOST_COMPLETE = 600_000;

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
    assertIsTaken(character, true);
    assertIsTaken(character, false);
  }

  private static void assertIsTaken(String character, boolean hasSums) throws Exception {
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
    CompleteStreams.Collector all = new CompleteStreams.Collector(List.of());
    many(MOST_COMPLETE, i -> stream(MANY + i)).forEach(all::addQuiet);
    CompleteStreams complete = all.toStreams(hasSums);
    LeftBehindRecord.Drained drained =
        new LeftBehindRecord.Drained(
            new DestinationDrain("archive", true, 0, 0, left),
            complete,
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
    assertEquals(hasSums, read.completeSums().isPresent());
    assertEquals(hasSums, read.complete().isEmpty());
    assertTrue(read.hasComplete());
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

  @Test
  void namesFewCompleteStreamsAndAddsUpMany() throws Exception {
    LastDrain few = complete(CompleteStreams.MOST_NAMED, true);
    assertEquals(CompleteStreams.MOST_NAMED, few.complete().size());
    assertEquals(Optional.empty(), few.completeSums());

    int many = CompleteStreams.MOST_NAMED + 1;
    LastDrain sums = complete(many, true);
    assertEquals(Set.of(), sums.complete());
    StreamSums told = sums.completeSums().orElseThrow();
    StreamSums.Adder found = new StreamSums.Adder(told.groups());
    many(many, LeftBehindRecordTest::stream).forEach(found::add);
    assertTrue(many(many, i -> found.hasAllOfGroup(told, stream(i))).stream().allMatch(is -> is));
  }

  /** Sums of some streams would not be those of any group that a reader finds. */
  @Test
  void namesTheFirstOfManyWhereNotAllCouldBeLookedAt() throws Exception {
    LastDrain read = complete(CompleteStreams.MOST_NAMED + 1, false);
    assertEquals(CompleteStreams.MOST_NAMED, read.complete().size());
    assertEquals(Optional.empty(), read.completeSums());
  }

  private static LastDrain complete(int count, boolean isAll) throws Exception {
    List<StreamId> streams = many(count, LeftBehindRecordTest::stream);
    CompleteStreams.Collector all =
        new CompleteStreams.Collector(streams.subList(0, count / 2 + 1));
    streams.subList(count / 2, count).forEach(all::addQuiet); // One has left memory meanwhile.
    LeftBehindRecord.Drained drained =
        new LeftBehindRecord.Drained(
            new DestinationDrain("d", true, 0, 0, List.of()), all.toStreams(isAll), List.of());
    return LastDrain.fromJson(toJson(drained), AGENT);
  }

  private static byte[] toJson(LeftBehindRecord.Drained drained) {
    return new LeftBehindRecord(AGENT, 1, 0, Duration.ZERO, List.of(drained), Losses.Report.NONE)
        .toJson(drained, Optional.of(true));
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
            CompleteStreams.NONE,
            List.of());
    assertEquals(path, LastDrain.fromJson(toJson(drained), AGENT).streams().getFirst().path());
  }
}
