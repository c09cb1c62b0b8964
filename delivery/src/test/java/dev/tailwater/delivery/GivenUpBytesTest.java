package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that were given up, and whose file is truncated before the next start. */
class GivenUpBytesTest {
  private static Fault refuse(Call call) {
    boolean isFirst = call.arguments().stream().anyMatch(a -> a.toString().contains("00000000-"));
    return isFirst ? new Fault.Fail(Errno.ENAMETOOLONG) : Fault.PROCEED;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(180)
  void areAGapWhereTheFileIsTruncated(boolean whileRunning, @TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config =
        place.config().toBuilder().packs(PackUse.NEVER).mergeToBytes(OptionalLong.of(0)).build();
    Path log = Files.writeString(place.log("app.log"), "first\n");
    Destination archive =
        place.openArchive(
            FaultyFileCalls.wrap(TestAgent.REAL_CALLS, GivenUpBytesTest::refuse).calls(),
            OpenIntent.WRITE);
    try (TestAgent agent = TestAgent.start(config, archive, TestAgent.REAL_CALLS)) {
      TestAgent.await("it is given up", () -> !agent.agent().status().problems().isEmpty());
      if (!whileRunning) {
        Files.writeString(log, "second\n", StandardOpenOption.APPEND);
      }
      DrainReport report = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
      assertEquals(6, report.leftBehindBytes());
      if (whileRunning) {
        Files.writeString(log, "2\n");
        report = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
        assertEquals(6 + 2, report.leftBehindBytes(), report::toString);
      }
    }
    if (!whileRunning) {
      Files.writeString(log, "2\n");
    }
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(
        List.of(new ByteRange(0, 6)),
        streams.getFirst().gaps().stream().map(GapRecord::range).toList());
    assertEquals("2\n", new String(streams.getLast().prefix(), StandardCharsets.US_ASCII));
  }
}
