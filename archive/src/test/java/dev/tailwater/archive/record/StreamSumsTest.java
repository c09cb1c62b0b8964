package dev.tailwater.archive.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.FileIdentity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamSumsTest {
  private static final String AGENT = "web-1";

  private static StreamId stream(int number) {
    FileIdentity identity = new FileIdentity(1, number, OptionalLong.empty(), OptionalLong.of(1));
    return StreamId.of(AGENT, identity, 0);
  }

  private static StreamSums.Adder adder(int groups, int from, int to) {
    StreamSums.Adder adder = new StreamSums.Adder(groups);
    IntStream.range(from, to).forEach(number -> adder.add(stream(number)));
    return adder;
  }

  private static LastDrain read(String sums) throws Exception {
    String json =
        "{\"format\":1,\"agent\":\"%s\",\"atMillis\":1,\"streams\":[],\"completeSums\":%s}"
            .formatted(AGENT, sums);
    return LastDrain.fromJson(json.getBytes(StandardCharsets.UTF_8), AGENT);
  }

  /** As a program in another language has computed them: the format does not change. */
  @Test
  void areWhatTheFormatSays() {
    StreamSums.Adder adder = new StreamSums.Adder(4);
    adder.add(new StreamId("0000000000001-0123456789abcdef-0000000"));
    adder.add(new StreamId("0000000000001-7vvv456789abcdef-0000003"));
    adder.add(new StreamId("0000000000001-vvvvvvvvvvvvvvvv-1vvvvvv"));
    assertEquals(
        List.of("ebb2105ed915db8d", "0000000000000000", "0000000000000000", "746f3e320dadf819"),
        adder.sums().texts());
  }

  @Test
  void fewerGroupsAreTheSameAsIfThereHadBeenNoMore() {
    for (int groups = 1; groups <= 64; groups *= 2) {
      assertEquals(
          adder(groups, 0, 500).sums().texts(), adder(64, 0, 500).sums().inGroups(groups).texts());
    }
  }

  @Test
  void agreeOnGroupsWithTheSameStreamsWhateverTheirOrder() {
    StreamSums meant = adder(16, 0, 100).sums();
    StreamSums.Adder found = adder(16, 50, 100);
    IntStream.range(0, 50).forEach(number -> found.add(stream(49 - number)));
    assertTrue(IntStream.range(0, 100).allMatch(n -> found.hasAllOfGroup(meant, stream(n))));

    found.add(stream(100));
    assertFalse(found.hasAllOfGroup(meant, stream(100)));
    long hidden =
        IntStream.range(0, 100).filter(n -> !found.hasAllOfGroup(meant, stream(n))).count();
    assertTrue(hidden > 0 && hidden < 30, hidden + " of 100");
    assertFalse(adder(8, 0, 100).hasAllOfGroup(meant, stream(1)), "another number of groups");
  }

  @Test
  void areReadAsTheyAreWritten() throws Exception {
    List<String> texts = adder(StreamSums.MAX_GROUPS, 0, 10_000).sums().texts();
    String array = "[\"" + String.join("\",\"", texts) + "\"]";
    assertEquals(texts, read(array).completeSums().orElseThrow().texts());
  }

  /** One file has each of them, and no two pairs of them are to be the same. */
  @Test
  void differForEpochs() {
    StreamSums.Adder some = new StreamSums.Adder(1);
    StreamSums.Adder others = new StreamSums.Adder(1);
    some.add(stream(1));
    some.add(stream(1).withEpoch(3));
    others.add(stream(1).withEpoch(1));
    others.add(stream(1).withEpoch(2));
    assertFalse(some.hasAllOfGroup(others.sums(), stream(1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[\"0000000000000000\",\"0000000000000000\",\"0000000000000000\"]",
        "[\"000000000000000\"]",
        "[\"00000000000000000\"]",
        "[\"000000000000000g\"]",
        "[\"+00000000000000f\"]",
        "[1]",
        "\"0000000000000000\""
      })
  void nothingElseIsTaken(String sums) {
    assertThrows(DamagedRecordException.class, () -> read(sums));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 1 << 17})
  void groupsAreAPowerOfTwo(int groups) {
    assertThrows(IllegalArgumentException.class, () -> new StreamSums.Adder(groups));
    StreamSums some = adder(64, 0, 1).sums();
    assertThrows(IllegalArgumentException.class, () -> some.inGroups(groups));
    assertThrows(IllegalArgumentException.class, () -> some.inGroups(128));
  }
}
