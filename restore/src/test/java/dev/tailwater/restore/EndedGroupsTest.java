package dev.tailwater.restore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A quiet agent goes on in its group, whatever stands behind that. */
class EndedGroupsTest extends CompactFixture {
  private final TestArchive.TestStream stream = archive.stream("/p/live", 1);
  private final ByteArrayOutputStream contents = new ByteArrayOutputStream();
  private final TestPacks live = packsBegun(Instant.now());

  private TestPacks packsBegun(Instant begun) {
    return new TestPacks(
        archive, "web-1", TimeUnit.MILLISECONDS.toNanos(begun.toEpochMilli()), List.of());
  }

  private void append(String text) {
    live.add(stream, contents.size(), text.getBytes(UTF_8));
    contents.writeBytes(text.getBytes(UTF_8));
  }

  @BeforeEach
  void deliverTwoGroups() throws IOException {
    deliverGroups(1);
    files.put(stream, contents);
    append("first");
    live.deliver();
  }

  private void forgeLaterGroup() throws IOException {
    PackGroup later =
        PackGroup.begin(
            TimeUnit.MILLISECONDS.toNanos(Instant.now().toEpochMilli() + 1), new SecureRandom());
    PackName name = new PackName(new PackId("web-1", later, 0, 0), 1, false);
    archive.destination.putSegment(name.key(), ByteBuffer.wrap(new byte[] {1}));
  }

  /** Nothing that the agent delivers next is hidden by what compacting has made. */
  private void assertTheAgentGoesOn() throws IOException {
    append(", and more");
    String next = live.deliver();
    long number = PackName.parse(next).orElseThrow().id().last();
    compact(archive.destination);
    assertFilesAreWhole();
    assertTrue(packs().stream().anyMatch(pack -> pack.id().last() == number));
  }

  @Test
  void theNameOfALaterGroupDoesNotEndTheOneBefore() throws IOException {
    forgeLaterGroup();
    assertEquals(1, compact(archive.destination).damages().size(), "it is named");
    assertTheAgentGoesOn();
  }

  @Test
  void nothingIsRewrittenBeforeTheNameOfALaterGroup() throws IOException {
    live.replace(stream, 0, "again".getBytes(UTF_8), 1).deliver();
    live.replace(stream, 0, "third".getBytes(UTF_8), 2).deliver();
    live.merge(0, 3, List.of(), true);
    contents.reset();
    contents.writeBytes("third".getBytes(UTF_8));
    forgeLaterGroup();
    replacedByMillis = Long.MAX_VALUE;
    assertTrue(compact(archive.destination).replacedBytesLeft() > 0, "it is told");
    assertTheAgentGoesOn();
  }

  /** An earlier run had a wrong clock; the agent goes on before its groups. */
  @Test
  void aGroupOfATimeThatNoClockShowsDoesNotEndTheOneBefore() throws IOException {
    TestPacks ahead = packsBegun(Instant.now().plus(Duration.ofDays(400)));
    ahead.add(archive.stream("/p/ahead", 2), 0, new byte[] {1}).deliver();
    assertEquals(List.of(), compact(archive.destination).damages());
    assertTheAgentGoesOn();
  }

  @Test
  void aLaterGroupOfTheAgentEndsTheOneBefore() throws IOException {
    TestPacks later = packsBegun(Instant.now().plus(Duration.ofDays(300)));
    later.add(archive.stream("/p/later", 2), 0, new byte[] {1}).deliver();
    assertEquals(2, compact(archive.destination).mergedPacks());
    assertFilesAreWhole();
  }
}
