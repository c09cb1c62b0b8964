package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MergeLedgerTest {
  private static final long MERGE_TO = 1 << 20;

  private final FrameShare frames = new FrameShare(1 << 20, 1 << 20);
  private final MergeLedger ledger = new MergeLedger(() -> MERGE_TO, () -> true, () -> 0, 100, 10);

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(5, inode, OptionalLong.of(1), OptionalLong.of(2));
    return StreamProgress.begin(
        "a", identity, StreamId.of("a", identity, 0), PosixPath.of("/f" + inode), 0);
  }

  private ShortSegments.Part part(long start) {
    Optional<HeldFrames> held = frames.keep(10, 100, () -> new byte[100]);
    return new ShortSegments.Part(new ByteRange(start, start + 10), 0, 0, held);
  }

  @Test
  void whileNothingCanBeMergedMemoryIsBoundedHoweverManyStreamsThereAre() {
    for (int i = 0; i < 1000; i++) {
      StreamProgress stream = stream(i);
      for (int segment = 0; segment < 7; segment++) {
        ledger.add(stream, part(segment * 10L));
      }
    }
    assertTrue(ledger.count() <= 100, () -> ledger.count() + " segments");
    assertTrue(ledger.count() > 80, () -> ledger.count() + " segments");
    assertEquals(ledger.count() * 100L, frames.heldBytes());
  }

  @Test
  void ofStreamsThatHaveEndedAndWaitOnlySomeAreRemembered() {
    for (int i = 0; i < 1000; i++) {
      StreamProgress stream = stream(i);
      ledger.add(stream, part(0));
      ledger.add(stream, part(10));
      assertTrue(ledger.end(stream));
    }
    assertEquals(20, ledger.count());
    assertEquals(20 * 100L, frames.heldBytes());
    int plans = 0;
    for (Optional<MergePlan> plan = ledger.next(); plan.isPresent(); plan = ledger.next()) {
      ledger.merged(plan.get());
      plans++;
    }
    assertEquals(10, plans);
    assertEquals(0, ledger.count());
    assertEquals(0, frames.heldBytes());
  }

  @Test
  void whatIsForgottenWhileItIsMergedDoesNoHarm() {
    StreamProgress stream = stream(1);
    for (int segment = 0; segment < 16; segment++) {
      ledger.add(stream, part(segment * 10L));
    }
    MergePlan plan = ledger.next().orElseThrow();
    for (int i = 2; i < 20; i++) {
      for (int segment = 0; segment < 7; segment++) {
        ledger.add(stream(i), part(segment * 10L));
      }
    }
    ledger.add(stream, part(160));
    ledger.merged(plan);
    ledger.end(stream);
    MergePlan rest = ledger.next().orElseThrow();
    assertEquals(new ByteRange(0, 170), rest.range());
  }

  @Test
  void roomForManyIsGivenBackWhenTheyAreOne() {
    ShortSegments segments = new ShortSegments();
    for (int i = 0; i < 1000; i++) {
      segments.add(part(i * 10L));
    }
    segments.remove(new ByteRange(0, 9990));
    assertEquals(1, segments.count());
    assertEquals(9990, segments.startBytes(0));
    assertTrue(segments.capacity() <= 4, () -> "room for " + segments.capacity());
    assertTrue(segments.add(part(0)));
    assertEquals(2, segments.count());
  }
}
