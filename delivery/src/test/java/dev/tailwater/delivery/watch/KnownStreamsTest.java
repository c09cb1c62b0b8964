package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KnownStreamsTest {
  private static final String AGENT = "web-1";
  private static final PosixPath PATH = PosixPath.of("/var/log/app.log");

  private static FileIdentity file(long fileSystemId, long inode, OptionalLong generation) {
    return new FileIdentity(fileSystemId, inode, generation, OptionalLong.of(1_700_000_000L));
  }

  private static Checkpoint checkpoint(FileIdentity identity) {
    return StreamProgress.begin(AGENT, identity, StreamId.of(AGENT, identity, 0), PATH, 1)
        .checkpoint();
  }

  @Test
  void findsTheStreamOfAFileWhoseDeviceIsAnotherNow() {
    FileIdentity before = file(0x801, 77, OptionalLong.of(5));
    KnownStreams known = new KnownStreams(AGENT);
    known.addCheckpoints(List.of(checkpoint(before)));
    Optional<StreamProgress> found = known.claim(file(0x811, 77, OptionalLong.of(5)), PATH);
    assertEquals(StreamId.of(AGENT, before, 0), found.orElseThrow().id());
    assertTrue(known.waiting().isEmpty());
    assertEquals(Optional.empty(), known.claim(before, PATH));
  }

  @Test
  void takesNoOtherFileForIt() {
    KnownStreams known = new KnownStreams(AGENT);
    known.addCheckpoints(
        List.of(
            checkpoint(file(0x801, 77, OptionalLong.of(5))),
            checkpoint(file(0x801, 78, OptionalLong.empty()))));
    assertEquals(Optional.empty(), known.claim(file(0x811, 77, OptionalLong.of(6)), PATH));
    assertEquals(Optional.empty(), known.claim(file(0x811, 79, OptionalLong.of(5)), PATH));
    // Without a generation, the next file of the inode number may be born in the same instant.
    assertEquals(Optional.empty(), known.claim(file(0x811, 78, OptionalLong.empty()), PATH));
    assertEquals(2, known.waiting().size());
  }
}
