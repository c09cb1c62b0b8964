package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.delivery.KnownRuns.Doubt;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import dev.tailwater.delivery.checkpoint.NotedReceipt;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the names of packs and receipts tell of runs. */
class KnownRunsTest {
  private static final String AGENT = "web-1";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long NOW_MILLIS = 60_000;
  private static final GroupBound BOUND = new GroupBound(() -> NOW_MILLIS);

  /** Of a forged name: no clock of this agent was that far ahead. */
  private static final PackGroup FAR = PackGroup.begin(Long.MAX_VALUE, RANDOM);

  private static final PackGroup FIRST = PackGroup.begin(1_000_000_000, RANDOM);
  private static final PackGroup SECOND = PackGroup.beginAfter(FIRST, 2_000_000_000, RANDOM);

  private Destination archive;
  private AgentState state;
  private CheckpointStore checkpoints;

  @BeforeEach
  void open(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Path directory = Files.createDirectories(base.toRealPath().resolve("own-state"));
    state = AgentState.open(TestAgent.REAL_CALLS, PosixPath.of(directory), Instant.EPOCH);
    checkpoints = state.of(archive.uri().toString());
  }

  @AfterEach
  void close() throws Exception {
    state.close();
    archive.close();
  }

  private KnownRuns.Found find() throws Exception {
    return new KnownRuns(AGENT, archive, checkpoints, EnumSet.allOf(Sequence.class), BOUND).find();
  }

  private static NotedReceipt receipt(int number) {
    return new NotedReceipt(AGENT, new Receipt.Previous(FIRST, number));
  }

  private void put(String key) throws Exception {
    var _ = archive.putSegment(key, ByteBuffer.wrap(new byte[1]));
  }

  private void putPack(PackGroup group) throws Exception {
    put(new PackName(new PackId(AGENT, group, 0), 100, false).key());
  }

  private void putReceipts(PackGroup run, int first, int last) throws Exception {
    put(new ReceiptName(AGENT, run, first, last).key());
  }

  @Test
  void aStateThatHasNotedNothingIsNotDoubted() throws Exception {
    putPack(FIRST);
    putReceipts(FIRST, 0, 0);
    assertEquals(Optional.empty(), find().doubt());
  }

  @Test
  void packsOfTheLastKnownGroupAreNoReasonForDoubt() throws Exception {
    checkpoints.noteBegun(Sequence.PACKS, FIRST);
    assertEquals(Optional.empty(), find().doubt(), "none was put");
    putPack(FIRST);
    put(PackName.prefix(AGENT) + SECOND + "/something-else");
    assertEquals(Optional.empty(), find().doubt());
  }

  @Test
  void aLaterGroupTellsThatTheStateIsOlder() throws Exception {
    checkpoints.noteBegun(Sequence.PACKS, FIRST);
    putPack(FIRST);
    putPack(SECOND);
    assertEquals(Map.of(Sequence.PACKS, SECOND), find().later());
    assertEquals(Optional.of(Doubt.OLDER_STATE), find().doubt());
    checkpoints.noteBegun(Sequence.PACKS, SECOND);
    checkpoints.noteBegun(Sequence.PACKS, FIRST);
    assertEquals(Optional.empty(), find().doubt(), "what is known is not forgotten");
  }

  @Test
  void receiptsOfALaterRunTellThatTheStateIsOlder() throws Exception {
    checkpoints.noteBegun(Sequence.RECEIPTS, FIRST);
    checkpoints.noteReceipt(receipt(0));
    putReceipts(FIRST, 0, 0);
    assertEquals(Optional.empty(), find().doubt());
    putReceipts(FIRST, 1, 1);
    assertEquals(Optional.empty(), find().doubt(), "the note of a receipt may be missing");
    putReceipts(SECOND, 0, 0);
    assertEquals(Map.of(Sequence.RECEIPTS, SECOND), find().later());
  }

  @Test
  void runsOfATimeThatNoClockWasAheadToTellNothing() throws Exception {
    checkpoints.noteBegun(Sequence.PACKS, FIRST);
    checkpoints.noteBegun(Sequence.RECEIPTS, FIRST);
    checkpoints.noteReceipt(receipt(0));
    putReceipts(FIRST, 0, 0);
    putPack(FAR);
    putReceipts(FAR, 0, 0);
    assertEquals(Optional.empty(), find().doubt());
    putPack(SECOND);
    putReceipts(SECOND, 0, 0);
    assertEquals(
        Map.of(Sequence.PACKS, SECOND, Sequence.RECEIPTS, SECOND),
        find().later(),
        "the last that can be this agent's");
  }

  @Test
  void aReceiptThatIsMissingTellsThatTheArchiveIsOlder() throws Exception {
    checkpoints.noteBegun(Sequence.RECEIPTS, FIRST);
    checkpoints.noteReceipt(receipt(3));
    assertEquals(Optional.of(Doubt.OLDER_ARCHIVE), find().doubt(), "the archive was emptied");
    putReceipts(FIRST, 2, 2);
    putReceipts(FIRST, 3, 3);
    assertEquals(Optional.of(Doubt.OLDER_ARCHIVE), find().doubt(), "emptied during the run");
    putReceipts(FIRST, 0, 1);
    assertEquals(Optional.empty(), find().doubt());
  }

  @Test
  void receiptsThatWereGatheredAreThere() throws Exception {
    checkpoints.noteReceipt(receipt(9));
    putReceipts(FIRST, 0, 7);
    putReceipts(FIRST, 6, 6);
    putReceipts(FIRST, 8, 9);
    assertEquals(Optional.empty(), find().doubt());
  }
}
