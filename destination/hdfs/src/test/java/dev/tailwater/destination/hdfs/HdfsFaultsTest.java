package dev.tailwater.destination.hdfs;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.testkit.FaultyTcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of an archive while clusters and networks fail. */
@ExtendWith(ThreeDataNodes.class)
class HdfsFaultsTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** For stalling servers only: other calls on a busy machine sometimes exceed these limits. */
  private static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(5), Duration.ofSeconds(4), Duration.ofSeconds(10));

  private final HdfsCluster cluster;
  private final FaultyTcpProxy proxy;
  private final Path root;
  private final DistributedFileSystem owner = new DistributedFileSystem();
  private final HdfsDestination place;

  HdfsFaultsTest(HdfsCluster cluster) throws IOException {
    this.cluster = cluster;
    this.proxy = FaultyTcpProxy.before(cluster.port());
    this.root = new Path(URI.create(cluster.newPlace()).getPath());
    Configuration plain = new HdfsConfiguration();
    owner.initialize(URI.create("hdfs://127.0.0.1:" + cluster.port()), plain);
    this.place = open("");
  }

  private HdfsDestination open(String query) throws IOException {
    return open(query, TimeLimits.STANDARD);
  }

  private HdfsDestination open(String query, TimeLimits limits) throws IOException {
    String uri = "hdfs://127.0.0.1:" + proxy.port() + root + query;
    return HdfsDestination.open(
        HdfsPlace.parse(URI.create(uri)), OpenIntent.WRITE, HdfsCluster.context(), limits);
  }

  @AfterEach
  void close() throws IOException {
    place.close();
    owner.close();
    proxy.close();
  }

  private PutResult put(String key, int length) throws DestinationException {
    return place.putSegment(key, ByteBuffer.wrap(bytes(length)));
  }

  private DestinationException fails(String key, int length) {
    return fails(place, key, length);
  }

  private static DestinationException fails(HdfsDestination at, String key, int length) {
    return assertThrows(
        DestinationException.class, () -> at.putSegment(key, ByteBuffer.wrap(bytes(length))));
  }

  private void failsAndPasses(String key, String hint) {
    DestinationException e = fails(key, 1000);
    assertFalse(e.permanent(), e.getMessage());
    assertTrue(e.hint().contains(hint), e.getMessage() + " / " + e.hint());
  }

  private void failsForGood(String key, String hint) {
    DestinationException e = fails(key, 1000);
    assertTrue(e.permanent(), e.getMessage());
    assertTrue(e.hint().contains(hint), e.getMessage() + " / " + e.hint());
  }

  private List<String> keys() throws IOException {
    return place.list("", Optional.empty(), 1000).entries().stream().map(Entry::key).toList();
  }

  private void requireObject(String key, int length) throws IOException {
    assertEquals(List.of(key), keys());
    try (InputStream stream = place.read(key, 0, Long.MAX_VALUE)) {
      assertArrayEquals(bytes(length), stream.readAllBytes());
    }
    assertEquals(0, temporaries().length, "temporary files");
  }

  private FileStatus[] temporaries() throws IOException {
    return owner.listStatus(new Path(root, ".tailwater-tmp"));
  }

  @Test
  void waitsForANameNodeThatRefusesConnections() throws IOException {
    proxy.refuse();
    failsAndPasses("a/b", "Nothing answers there");
    proxy.listenAgain();
    assertEquals(PutResult.CREATED, put("a/b", 1000));
    requireObject("a/b", 1000);
    proxy.refuse();
    assertFalse(fails("a/c", 1000).permanent(), "the connection was reset");
    proxy.listenAgain();
    requireObject("a/b", 1000);
  }

  @Test
  void failsSoonWhereTheNameNodeStallsAndGoesOnAfterwards() throws IOException {
    try (HdfsDestination impatient = open("", SHORT)) {
      proxy.stall();
      DestinationException e = fails(impatient, "stalled", 1000);
      assertFalse(e.permanent(), e.getMessage());
      assertTrue(e.hint().contains("stalls"), e.getMessage() + " / " + e.hint());
      proxy.goOn();
    }
    assertEquals(PutResult.CREATED, put("stalled", 2 * MEBIBYTE));
    requireObject("stalled", 2 * MEBIBYTE);
  }

  @Test
  void makesNoSecondObjectWhicheverAnswerIsLost() throws IOException {
    put("warm/up", 1);
    place.delete("warm/up");
    for (int answer = 0; answer < 6; answer++) {
      String key = "folder-" + answer + "/lost";
      proxy.loseAnswerAfter(answer);
      boolean failed = false;
      try {
        assertEquals(PutResult.CREATED, put(key, 300_000));
      } catch (DestinationException e) {
        assertFalse(e.permanent(), e.getMessage());
        failed = true;
      }
      PutResult again = put(key, 300_000);
      if (!failed) {
        assertEquals(PutResult.ALREADY_EXISTS, again, "answer " + answer);
      }
      requireObject(key, 300_000);
      place.delete(key);
    }
    assertTrue(proxy.answersLost() > 0, "no answer was lost");
  }

  @Test
  void aUsedUpQuotaIsPermanentAndHealsWhenItIsRaised() throws IOException {
    owner.mkdirs(root);
    owner.setQuota(root, HdfsConstants.QUOTA_DONT_SET, 1000);
    failsForGood("full", "quota");
    failsForGood("full", "quota");
    owner.setQuota(root, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    assertEquals(PutResult.CREATED, put("full", 5000));
    requireObject("full", 5000);
  }

  @Test
  void aMissingPermissionIsPermanentAndHealsWhenItIsGiven() throws IOException {
    owner.mkdirs(root, new FsPermission((short) 0755));
    try (HdfsDestination stranger = open("?user=stranger")) {
      ByteBuffer content = ByteBuffer.wrap(bytes(1000));
      PermanentDestinationException e =
          assertThrows(
              RefusedDestinationException.class, () -> stranger.putSegment("a/b", content));
      assertTrue(e.hint().contains("permission"), e.hint());
      assertTrue(e.getMessage().contains("user=stranger"), e.getMessage());
      owner.setOwner(root, "stranger", "strangers");
      assertEquals(PutResult.CREATED, stranger.putSegment("a/b", content));
    }
    requireObject("a/b", 1000);
    assertEquals("stranger", owner.getFileStatus(new Path(root, "a/b")).getOwner());
  }

  @Test
  void aDirectoryInPlaceOfAnObjectIsPermanent() throws IOException {
    put("taken/by", 1000);
    failsForGood("taken", "not put there by Tailwater");
    PermanentDestinationException e =
        assertThrows(
            PermanentDestinationException.class, () -> place.putObject("taken", bytes(10)));
    assertTrue(e.hint().contains("not put there by Tailwater"), e.hint());
    assertEquals(List.of("taken/by"), keys());
  }

  @Test
  void waitsUntilTheNameNodeLeavesSafeMode() throws IOException {
    owner.setSafeMode(SafeModeAction.ENTER);
    try {
      failsAndPasses("safe", "safe mode");
    } finally {
      owner.setSafeMode(SafeModeAction.LEAVE);
    }
    assertEquals(PutResult.CREATED, put("safe", 1000));
    requireObject("safe", 1000);
  }

  @Test
  void waitsForANameNodeThatIsStoppedAndStartedAgain() throws IOException {
    assertEquals(PutResult.CREATED, put("before", 1000));
    place.delete("before");
    cluster.tell("stop-name-node");
    try {
      DestinationException e = fails("after", 1000);
      assertFalse(e.permanent(), e.getMessage());
    } finally {
      cluster.tell("start-name-node");
    }
    long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
    Optional<PutResult> result = Optional.empty();
    while (result.isEmpty()) {
      try {
        result = Optional.of(put("after", 1000));
      } catch (DestinationException e) {
        assertFalse(e.permanent(), e.getMessage());
        assertTrue(System.nanoTime() - deadlineNanos < 0, e.getMessage());
      }
    }
    assertEquals(Optional.of(PutResult.CREATED), result);
    requireObject("after", 1000);
    cluster.tell("wait-active");
  }

  @Test
  void losesNothingWhenADataNodeDiesWhileItIsWrittenTo() throws IOException {
    byte[] content = bytes(12 * MEBIBYTE);
    try (SegmentUpload upload = place.beginSegment("long")) {
      upload.write(ByteBuffer.wrap(content, 0, 5 * MEBIBYTE));
      cluster.tell("stop-data-node 0");
      upload.write(ByteBuffer.wrap(content, 5 * MEBIBYTE, 7 * MEBIBYTE));
      assertEquals(PutResult.CREATED, upload.commit());
      requireObject("long", 12 * MEBIBYTE);
    } finally {
      cluster.tell("start-data-node");
    }
  }

  @Test
  void showsNothingOfAnUploadThatIsNotCommitted() throws IOException {
    try (SegmentUpload upload = place.beginSegment("a/b")) {
      upload.write(ByteBuffer.wrap(bytes(3 * MEBIBYTE)));
      assertEquals(List.of(), keys());
      assertEquals(1, temporaries().length);
    }
    assertEquals(0, temporaries().length, "it was taken away");
    try (SegmentUpload upload = place.beginSegment("a/b")) {
      upload.write(ByteBuffer.allocateDirect(70_000));
      assertEquals(PutResult.CREATED, upload.commit());
      assertThrows(IllegalStateException.class, upload::commit);
    }
    try (SegmentUpload upload = place.beginSegment("a/b")) {
      assertEquals(PutResult.ALREADY_EXISTS, upload.commit());
    }
    assertEquals(70_000, place.list("", Optional.empty(), 5).entries().getFirst().sizeBytes());
    assertEquals(0, temporaries().length);
  }

  @Test
  void letsGoOfTheLeasesOfPutsThatFailed() throws IOException {
    owner.mkdirs(root);
    owner.setQuota(root, HdfsConstants.QUOTA_DONT_SET, 1000);
    for (int i = 0; i < 3; i++) {
      fails("full-" + i, 1000);
    }
    assertTrue(
        cluster.tell("open-files").stream().noneMatch(path -> path.startsWith(root + "/")),
        "the NameNode holds no lease");
  }

  @Test
  void theDataNodesSyncEverySegmentBeforeItHasItsName() throws IOException {
    put("warm/up", 1);
    long before = settled("DataNode.FsyncCount");
    for (int i = 0; i < 5; i++) {
      put("synced/" + i, 1000);
    }
    long after = settled("DataNode.FsyncCount");
    assertTrue(after - before >= 5 * 3, "five segments on three data nodes: " + (after - before));
  }

  /** Returns a metric once it no longer changes, since metrics are up to a second old. */
  private long settled(String metric) throws IOException {
    long last = -1;
    for (int same = 0; same < 3; ) {
      long now = cluster.metrics().getOrDefault(metric, 0L);
      same = now == last ? same + 1 : 0;
      last = now;
      try {
        TimeUnit.MILLISECONDS.sleep(500);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    return last;
  }

  @Test
  void aNameThatIsNotFoundIsTriedAgain() throws IOException {
    try (HdfsDestination away =
        HdfsDestination.open(
            HdfsPlace.parse(URI.create("hdfs://no-such-nameservice/a")),
            OpenIntent.READ,
            HdfsCluster.context(),
            TimeLimits.STANDARD)) {
      DestinationException e =
          assertThrows(DestinationException.class, () -> away.list("", Optional.empty(), 1));
      assertFalse(e.permanent(), e.getMessage());
      assertTrue(e.hint().contains("nameservice"), e.getMessage() + e.hint());
    }
  }

  @Test
  void saysThatAWebServerIsNoNameNode() throws IOException {
    try (ServerSocket web = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answerAsAWebServer(web));
      try (HdfsDestination wrong =
          HdfsDestination.open(
              HdfsPlace.parse(URI.create("hdfs://127.0.0.1:" + web.getLocalPort() + "/a")),
              OpenIntent.READ,
              HdfsCluster.context(),
              TimeLimits.STANDARD)) {
        DestinationException e =
            assertThrows(DestinationException.class, () -> wrong.list("", Optional.empty(), 1));
        assertTrue(e.hint().contains("dfs.namenode.rpc-address"), e.getMessage() + e.hint());
      }
    }
  }

  private static void answerAsAWebServer(ServerSocket web) {
    try {
      while (true) {
        try (Socket client = web.accept()) {
          int ignored = client.getInputStream().read(new byte[1000]);
          client
              .getOutputStream()
              .write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          client.shutdownOutput();
          while (ignored >= 0) {
            ignored = client.getInputStream().read();
          }
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void aWrongPathIsNotTakenForAnEmptyArchive() throws IOException {
    try (HdfsDestination reader =
        HdfsDestination.open(
            HdfsPlace.parse(URI.create("hdfs://127.0.0.1:" + cluster.port() + "/no/archive")),
            OpenIntent.READ,
            HdfsCluster.context(),
            TimeLimits.STANDARD)) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> reader.list("", Optional.empty(), 1));
      assertTrue(e.getMessage().contains("no directory /no/archive"), e.getMessage());
    }
  }

  @Test
  void keepsAsManyCopiesAsItIsToldAndNoMoreThanTheClusterTakes() throws IOException {
    try (HdfsDestination greedy = open("?replication=11")) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class,
              () -> greedy.putSegment("a", ByteBuffer.wrap(new byte[1])));
      assertTrue(e.hint().contains("replication"), e.getMessage() + e.hint());
    }
    try (HdfsDestination single = open("?replication=1")) {
      assertEquals(PutResult.CREATED, single.putSegment("a", ByteBuffer.wrap(new byte[1])));
      assertEquals(1, owner.getFileStatus(new Path(root, "a")).getReplication());
    }
  }
}
