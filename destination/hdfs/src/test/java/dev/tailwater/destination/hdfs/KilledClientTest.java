package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of the temporary file of a process that is killed in the middle of a segment, and of one
 * that lives.
 */
@ExtendWith(ThreeDataNodes.class)
class KilledClientTest {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final String HARD_LIMIT = " 3600000";

  private final HdfsCluster cluster;
  private final String place;
  private final Path temporaries;
  private final DistributedFileSystem owner = new DistributedFileSystem();

  KilledClientTest(HdfsCluster cluster) throws IOException {
    this.cluster = cluster;
    this.place = cluster.newPlace();
    this.temporaries = new Path(URI.create(place).getPath(), ".tailwater-tmp");
    owner.initialize(URI.create(place), new HdfsConfiguration());
  }

  @AfterEach
  void close() throws IOException {
    owner.close();
  }

  private List<String> temporaryNames() throws IOException {
    return Arrays.stream(owner.listStatus(temporaries))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  private List<String> openFiles() throws IOException {
    return cluster.tell("open-files").stream()
        .filter(path -> path.startsWith(temporaries.getParent() + "/"))
        .toList();
  }

  private static PutResult put(Destination archive, String key) throws IOException {
    return archive.putSegment(key, ByteBuffer.wrap(HalfWritten.bytes(key)));
  }

  private static void requireEverythingOnce(Destination archive) throws IOException {
    List<String> keys =
        archive.list("", Optional.empty(), 100).entries().stream().map(Entry::key).toList();
    assertEquals(List.of("agent/0-1", "agent/1-2", "agent/2-3"), keys);
    for (String key : keys) {
      try (InputStream stream = archive.read(key, 0, Long.MAX_VALUE)) {
        assertArrayEquals(HalfWritten.bytes(key), stream.readAllBytes(), key);
      }
    }
  }

  @Test
  void theNextProcessFindsWhatWasDeliveredAndRemovesWhatWasNot() throws Exception {
    Process process = HalfWritten.start(place);
    assertEquals(1, temporaryNames().size());
    assertEquals(1, openFiles().size());
    process.destroyForcibly();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    try (Destination archive = HdfsCluster.open(place)) {
      assertEquals(
          HalfWritten.WHOLE,
          archive.list("", Optional.empty(), 100).entries().stream().map(Entry::key).toList());
      for (String key : HalfWritten.WHOLE) {
        assertEquals(PutResult.ALREADY_EXISTS, put(archive, key));
      }
      assertEquals(PutResult.CREATED, put(archive, HalfWritten.HALF));
      assertEquals(List.of(), temporaryNames());
      assertEquals(List.of(), openFiles(), "its lease is gone too");
      requireEverythingOnce(archive);
    }
  }

  @Test
  void leavesAloneWhatAnotherLivingProcessWrites() throws Exception {
    Process process = HalfWritten.start(place);
    try (Destination archive = HdfsCluster.open(place)) {
      assertEquals(PutResult.CREATED, put(archive, "other/0-1"));
      archive.delete("other/0-1");
      archive.removeEmptyFolders("other");
      assertEquals(1, openFiles().size());
      process.outputWriter().append('\n').flush();
      assertEquals("CREATED", process.inputReader().readLine());
      assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      requireEverythingOnce(archive);
      assertEquals(List.of(), temporaryNames());
    }
  }

  @Test
  void removesWhatAnotherMachineLeftWhenItsLeaseIsOver() throws Exception {
    Owner self = Owner.self();
    String elsewhere =
        new Owner("elsewhere", self.space() + 1, 1, self.startTicks()).namePrefix() + "x-1";
    FSDataOutputStream stream = owner.create(new Path(temporaries, elsewhere));
    stream.write(1);
    stream.hflush();
    owner.create(new Path(temporaries, "somebody's file")).close();
    try (Destination archive = HdfsCluster.open(place)) {
      put(archive, "a");
      assertEquals(List.of(elsewhere, "somebody's file"), temporaryNames(), "the lease is new");
    }
    // This client renews its leases every 30 s.
    cluster.tell("lease-limit 200" + HARD_LIMIT);
    try {
      long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
      while (temporaryNames().contains(elsewhere)) {
        assertTrue(System.nanoTime() - deadlineNanos < 0, "it is not removed");
        try (Destination archive = HdfsCluster.open(place)) {
          put(archive, "b");
        }
      }
    } finally {
      cluster.tell("lease-limit 60000" + HARD_LIMIT);
    }
    assertEquals(List.of("somebody's file"), temporaryNames(), "it is not ours");
  }
}
