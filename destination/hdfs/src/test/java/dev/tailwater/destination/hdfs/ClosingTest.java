package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.testkit.FaultyTcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of an agent that ends while its cluster stalls. */
@ExtendWith(ThreeDataNodes.class)
class ClosingTest {
  private static final ByteBuffer CONTENT = ByteBuffer.wrap(new byte[100_000]);

  private final HdfsCluster cluster;
  private final FaultyTcpProxy proxy;
  private final String path;
  private final HdfsDestination place;

  ClosingTest(HdfsCluster cluster) throws IOException {
    this.cluster = cluster;
    this.proxy = FaultyTcpProxy.before(cluster.port());
    this.path = URI.create(cluster.newPlace()).getPath();
    this.place =
        HdfsDestination.open(
            HdfsPlace.parse(URI.create("hdfs://127.0.0.1:" + proxy.port() + path)),
            OpenIntent.WRITE,
            HdfsCluster.context(),
            TimeLimits.STANDARD);
  }

  @AfterEach
  void close() throws IOException {
    place.close();
    proxy.close();
  }

  private List<String> openFiles() throws IOException {
    return cluster.tell("open-files").stream().filter(file -> file.startsWith(path)).toList();
  }

  @Test
  void doesNotWaitForAPutThatHangsAndLetsItComeToItsEnd() throws Exception {
    try (SegmentUpload upload = place.beginSegment("agent/0-1")) {
      upload.write(CONTENT);
      proxy.stall();
      CompletableFuture<PutResult> commit = inBackground(upload);
      awaitInside(commit);
      place.close();
      assertFalse(commit.isDone(), "the close waited for it");
      proxy.goOn();
      assertEquals(PutResult.CREATED, commit.get(1, TimeUnit.MINUTES));
    }
    try (Destination other = HdfsCluster.open("hdfs://127.0.0.1:" + cluster.port() + path)) {
      assertEquals(
          CONTENT.remaining(),
          other.list("", Optional.empty(), 10).entries().getFirst().sizeBytes());
    }
    assertEquals(List.of(), openFiles());
  }

  private static CompletableFuture<PutResult> inBackground(SegmentUpload upload) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return upload.commit();
          } catch (DestinationException e) {
            throw new CompletionException(e);
          }
        });
  }

  /** Waits until the thread is where Hadoop waits for the cluster, with the stream locked. */
  private static void awaitInside(CompletableFuture<PutResult> commit) throws Exception {
    long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (Thread.getAllStackTraces().values().stream().noneMatch(ClosingTest::isFinishing)) {
      assertFalse(commit.isDone(), "it did not stall");
      assertTrue(System.nanoTime() - deadlineNanos < 0, "it does not finish the file");
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static boolean isFinishing(StackTraceElement[] stack) {
    return List.of(stack).stream().anyMatch(call -> call.getMethodName().equals("closeImpl"));
  }

  @Test
  void nothingIsTakenAfterwards() throws Exception {
    SegmentUpload upload = place.beginSegment("agent/0-1");
    upload.write(CONTENT);
    place.close();
    assertThrows(DestinationException.class, upload::commit);
    upload.close();
    DestinationException late =
        assertThrows(DestinationException.class, () -> place.putSegment("agent/1-2", CONTENT));
    assertFalse(late.permanent(), "the next start delivers it");
  }
}
