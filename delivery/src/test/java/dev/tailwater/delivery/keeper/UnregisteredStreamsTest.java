package dev.tailwater.delivery.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnregisteredStreamsTest {
  private static final String AGENT = "agent";
  private static final PosixPath PATH = PosixPath.of("/logs/app.log");

  private KeyValueStore store;
  private CheckpointStore checkpoints;
  private CheckpointSaver saver;

  @BeforeEach
  void openStore(@TempDir Path base) throws Exception {
    store =
        TransactionLogStore.open(
            LinuxFileCalls.create(), PosixPath.of(base.resolve("state")), StoreOptions.defaults());
    checkpoints = new CheckpointStore(store, store, "memory:/");
    saver = new CheckpointSaver(checkpoints, new Problems(new UnheardProblems(), () -> 0));
  }

  @AfterEach
  void closeStore() throws Exception {
    saver.end();
    store.close();
  }

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamProgress.begin(AGENT, identity, StreamId.of(AGENT, identity, 0), PATH, 0);
  }

  private Set<StreamId> recorded() throws Exception {
    Set<StreamId> ids = new TreeSet<>(Comparator.comparing(StreamId::text));
    checkpoints.files().forEach(checkpoint -> ids.add(checkpoint.origin().id()));
    return ids;
  }

  @Test
  void recordsEachStreamAtOnceWhereTheNextStartDoesNotAsk() throws Exception {
    UnregisteredStreams streams = new UnregisteredStreams(saver, false);
    StreamProgress stream = stream(1);
    streams.add(stream);

    streams.settle();

    assertEquals(Set.of(stream.id()), recorded());
  }

  @Test
  void recordsWhatIsLeftWhenTheFirstScanIsDone() throws Exception {
    UnregisteredStreams streams = new UnregisteredStreams(saver, true);
    StreamProgress first = stream(1);
    streams.add(first);
    streams.settle();
    assertEquals(Set.of(), recorded());

    streams.firstScanDone();
    assertEquals(Set.of(first.id()), recorded());

    StreamProgress second = stream(2);
    streams.add(second);
    streams.settle();
    assertTrue(recorded().contains(second.id()));
  }

  /** Whatever is delivered meanwhile, each stream has its row when the scan is done. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void recordsEveryStreamByTheEndOfTheFirstScan(long seed) throws Exception {
    RandomGenerator random = new SplittableRandom(seed);
    UnregisteredStreams streams = new UnregisteredStreams(saver, true);
    List<StreamProgress> packed = new ArrayList<>();
    Set<StreamId> all = new TreeSet<>(Comparator.comparing(StreamId::text));
    for (int inode = 1; inode <= 20_000; inode++) {
      StreamProgress stream = stream(inode);
      all.add(stream.id());
      streams.add(stream);
      packed.add(stream);
      if (random.nextInt(1_000) == 0) {
        saver.saveAll(packed); // As the delivery of a pack does.
        packed.clear();
      }
      if (random.nextInt(100) == 0) {
        streams.settle();
      }
    }

    streams.firstScanDone();

    assertEquals(all, recorded());
  }
}
