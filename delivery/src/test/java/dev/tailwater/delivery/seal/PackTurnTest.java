package dev.tailwater.delivery.seal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.staging.StagingBuffer;
import dev.tailwater.delivery.staging.StagingPool;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bytes that replace others, in packs whose directories are full. */
class PackTurnTest {
  private static final String AGENT = "web-1";
  private static final FileOwner OWNER = new FileOwner(1, 2, "daemon", "bin");
  private static final byte[] BYTES = new byte[472];
  private static final ByteRange RANGE = new ByteRange(0, BYTES.length);

  private final SecureRandom random = new SecureRandom();
  private final PackSealer sealer =
      new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), random);
  private final StagingQuota quota = new StagingQuota(new StagingPool(1 << 20), 1, 1);
  private long inode;

  @AfterEach
  void closeSealer() {
    sealer.close();
  }

  private StreamProgress stream(int nameBytes) {
    FileIdentity identity =
        new FileIdentity(1, ++inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamProgress.begin(
        AGENT, identity, StreamId.of(AGENT, identity, 0), path(nameBytes), 0);
  }

  private static PosixPath path(int nameBytes) {
    return PosixPath.of("/" + "x".repeat(nameBytes));
  }

  private static boolean revise(PackTurn turn, StreamProgress stream) {
    return turn.revise(stream, RANGE, 1, BYTES, new BlockRun(0), 0);
  }

  /** Puts a stream with a name of this length into the pack, again and again until it is full. */
  private StreamProgress fill(PackTurn turn, int nameBytes) {
    StreamProgress next = stream(nameBytes);
    while (turn.acceptsRevision(next, BYTES.length)) {
      assertTrue(revise(turn, next));
      next = stream(nameBytes);
    }
    return next;
  }

  private interface Use {
    void of(PackTurn turn);
  }

  private void withTurn(Use use) throws InterruptedException {
    PackGroups groups = new PackGroups(AGENT, random, System::currentTimeMillis);
    StagingBuffer buffer = quota.acquire(1);
    try (PackGroups.Numbering numbering = groups.begin()) {
      PackTurn turn = new PackTurn(sealer, numbering, new FactQueue(System::nanoTime), buffer, 0);
      use.of(turn);
      turn.abandon();
    } finally {
      quota.release(buffer);
    }
  }

  @Test
  void takesReplacedBytesOfWhateverStreamItAccepts() throws Exception {
    for (int nameBytes = 900; nameBytes < 960; nameBytes++) {
      int length = nameBytes;
      withTurn(turn -> assertFalse(revise(turn, fill(turn, length))));
    }
  }

  @Test
  void refusesReplacedBytesOfAFileThatWasGivenALongerNameMeanwhile() throws Exception {
    withTurn(
        turn -> {
          fill(turn, 900);
          StreamProgress stream = stream(1);
          assertTrue(turn.acceptsRevision(stream, BYTES.length));
          stream.seen(Place.of(path(3000)), 0640, 1, OWNER, 1);
          assertFalse(revise(turn, stream));
          stream.seen(Place.of(path(2)), 0640, 1, OWNER, 2);
          assertTrue(revise(turn, stream));
          assertTrue(turn.seal(System.currentTimeMillis(), 0).lengthBytes() > 0);
        });
  }
}
