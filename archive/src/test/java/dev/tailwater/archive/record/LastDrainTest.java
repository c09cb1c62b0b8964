package dev.tailwater.archive.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.open.Segments;
import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LastDrainTest {
  private static final String AGENT = "web-1";
  private static final String STREAM = Segments.STREAM.text();
  private static final String GOOD =
      "{\"format\":1,\"agent\":\"web-1\",\"atMillis\":1700000000000,\"later\":[1.5,null],"
          + "\"streams\":[{\"path\":\"/var/log/a.log\",\"stream\":\""
          + STREAM
          + "\",\"ranges\":[{\"startBytes\":10,\"endBytes\":20},{\"startBytes\":40,\"endBytes\":41}]}]}";

  private static LastDrain read(String json) throws ArchiveException {
    return LastDrain.fromJson(json.getBytes(StandardCharsets.UTF_8), AGENT);
  }

  private static void refused(String json) {
    DamagedRecordException damaged =
        assertThrows(DamagedRecordException.class, () -> read(json), json);
    assertEquals("web-1/~left-behind.json", damaged.key());
  }

  @Test
  void readsWhatWasLeftToTheByte() throws Exception {
    LastDrain drain = read(GOOD);
    assertEquals(1_700_000_000_000L, drain.atMillis());
    LastDrain.Left left = drain.streams().getFirst();
    assertEquals(Segments.STREAM, left.stream());
    assertEquals(PosixPath.of("/var/log/a.log"), left.path());
    assertEquals(List.of(new ByteRange(10, 20), new ByteRange(40, 41)), left.ranges());
    assertEquals(Set.of(), drain.complete());
    String later = GOOD.replace("\"later\":[1.5,null]", "\"complete\":[\"" + STREAM + "\"]");
    assertEquals(Set.of(Segments.STREAM), read(later).complete());
    refused(later.replace("\"complete\":[\"" + STREAM, "\"complete\":[\"x"));
    refused(later.replace("\"complete\":[\"" + STREAM + "\"", "\"complete\":[7"));
  }

  @Test
  void aStreamThatIsNamedTwiceIsOne() throws Exception {
    String one = GOOD.substring(GOOD.indexOf("[{\"path\"") + 1, GOOD.lastIndexOf(']'));
    LastDrain drain = read(GOOD.replace(one, one + "," + one.replace(":41", ":50")));
    assertEquals(1, drain.streams().size());
    assertEquals(
        List.of(new ByteRange(10, 20), new ByteRange(40, 50)), drain.streams().getFirst().ranges());
  }

  @Test
  void readsWhatWasMissed() throws Exception {
    assertEquals(LastDrain.Counted.NONE, read(GOOD).missed());
    String missed =
        GOOD.replace(
            "\"later\":[1.5,null]",
            "\"missedFiles\":3,\"missed\":[\"/a\",\"/b\"],\"perhapsMissedFiles\":1");
    assertEquals(new LastDrain.Counted(3, List.of("/a", "/b")), read(missed).missed());
    assertEquals(new LastDrain.Counted(1, List.of()), read(missed).perhapsMissed());
    refused(missed.replace("Files\":3", "Files\":-3"));
    refused(missed.replace("[\"/a\"", "[7"));
    refused(missed.replace("\"missed\":[\"/a\",\"/b\"]", "\"missed\":\"/a\""));
  }

  @Test
  void readsHowMuchWasLeftOfFilesThatItDoesNotName() throws Exception {
    assertEquals(1, read(GOOD).leftFiles());
    assertEquals(11, read(GOOD).leftBytes());
    String more =
        GOOD.replace(
            "\"later\":[1.5,null]", "\"leftBehindFiles\":70000,\"leftBehindBytes\":900000");
    assertEquals(70_000, read(more).leftFiles());
    assertEquals(900_000, read(more).leftBytes());
    refused(more.replace("70000", "-1"));
    refused(more.replace("900000", "0.5"));
  }

  @Test
  void readsWhatKeptTheAgentFromMore() throws Exception {
    assertEquals(LastDrain.Counted.NONE, read(GOOD).problems());
    String problems =
        GOOD.replace("\"later\":[1.5,null]", "\"problemCount\":2,\"problems\":[\"no room\"]");
    assertEquals(new LastDrain.Counted(2, List.of("no room")), read(problems).problems());
    refused(problems.replace("[\"no room\"]", "\"no room\""));
  }

  @Test
  void wrongRecordsAreRefused() {
    refused("");
    refused("[]");
    refused("{}");
    refused(GOOD + "x");
    refused(GOOD.replace("\"format\":1", "\"format\":0"));
    refused(GOOD.replace("\"format\":1", "\"format\":\"1\""));
    refused(GOOD.replace("\"web-1\"", "\"web-2\""));
    refused(GOOD.replace("1700000000000", "1.5"));
    refused(GOOD.replace("1700000000000", "1700000000000000000"));
    refused(GOOD.replace(STREAM, "x"));
    refused(GOOD.replace("/var/log/a.log", "var/log/a.log"));
    refused(GOOD.replace("/var/log/a.log", "/"));
    refused(GOOD.replace("/var/log/a.log", "//"));
    refused(GOOD.replace("/var/log/a.log", "/\\u0000"));
    refused(GOOD.replace("/var/log/a.log", "/" + "x".repeat(5000)));
    refused(GOOD.replace(":10,", ":-1,"));
    refused(GOOD.replace(":10,", ":20,"));
    refused(GOOD.replace(":10,", ":99999999999999999999,"));
    refused(GOOD.replace("\"ranges\"", "\"range\""));
    refused("{\"a\":".repeat(100_000));
    refused(" ".repeat(LastDrain.MAX_BYTES + 1));
    refused(GOOD.replace("[1.5,null]", "[" + "0,".repeat(1_100_000) + "0]"));
  }

  @Test
  void newerFormatsAreNamed() {
    assertThrows(
        UnsupportedFormatException.class, () -> read(GOOD.replace("\"format\":1", "\"format\":2")));
  }

  @Test
  void everyTruncationAndFlippedBitIsRefusedOrReadsAsARecord() {
    byte[] json = GOOD.getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < json.length; length++) {
      refused(new String(Arrays.copyOf(json, length), StandardCharsets.UTF_8));
    }
    for (int bit = 0; bit < json.length * 8; bit++) {
      byte[] flipped = json.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        assertEquals(AGENT, LastDrain.fromJson(flipped, AGENT).agent());
      } catch (DamagedRecordException | UnsupportedFormatException refused) {
        assertEquals("web-1/~left-behind.json", refused.key());
      }
    }
  }

  @Test
  void objectsOfAnAgentAreKnownByTheirNames() {
    assertEquals(Optional.of(AGENT), ArchiveNames.agentOfObject(ArchiveNames.lastDrain(AGENT)));
    assertEquals(Optional.of(AGENT), ArchiveNames.agentOfObject("web-1/~later.json"));
    for (String other :
        List.of("web-1", "web-1/", "web-1/~", "/~x", ".a/~x", "web-1/~a/b", "a/b/~x")) {
      assertTrue(ArchiveNames.agentOfObject(other).isEmpty(), other);
    }
  }
}
