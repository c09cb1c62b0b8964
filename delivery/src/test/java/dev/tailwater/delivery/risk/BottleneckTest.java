package dev.tailwater.delivery.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is concluded from two looks that are a second apart. */
class BottleneckTest {
  private boolean connected = true;
  private boolean paced;
  private long unreadBytes = 1_000;
  private long unreadableBytes;
  private long stagedBytes = 1_000;
  private long sealingMillis;
  private long awaitingMillis;
  private int retrying;
  private long retryingMillis;

  private LaneLoad at(long millis, long sealing, long awaiting, long retried) {
    return new LaneLoad(
        TimeUnit.MILLISECONDS.toNanos(millis),
        connected,
        paced,
        new LaneLoad.Backlog(unreadBytes, unreadableBytes, stagedBytes, 7_000),
        new LaneLoad.Sealing(
            2, TimeUnit.MILLISECONDS.toNanos(sealing), TimeUnit.MILLISECONDS.toNanos(awaiting)),
        new LaneLoad.Retrying(retrying, TimeUnit.MILLISECONDS.toNanos(retried)));
  }

  private Limit limit() {
    return Bottleneck.between(
        at(50_000, 9_000, 9_000, 9_000),
        at(51_000, 9_000 + sealingMillis, 9_000 + awaitingMillis, 9_000 + retryingMillis));
  }

  @Test
  void bytesThatAreUnreadWhileTheWorkersSealAreTheProcessorsFault() {
    unreadBytes = 9_000;
    sealingMillis = 1_900;
    assertEquals(Limit.CPU, limit());
  }

  @Test
  void bytesThatAreOnTheirWayAreTheUplinksFault() {
    stagedBytes = 9_000;
    assertEquals(Limit.UPLINK, limit());
  }

  @Test
  void bytesThatAreUnreadSinceAllBuffersAreOnTheirWayAreTheUplinksFault() {
    unreadBytes = 90_000;
    awaitingMillis = 1_800;
    sealingMillis = 100;
    assertEquals(Limit.UPLINK, limit());
  }

  @Test
  void anUplinkThatTheConfigurationNarrowsIsTheConfigurationsFault() {
    stagedBytes = 9_000;
    paced = true;
    assertEquals(Limit.BANDWIDTH, limit());
  }

  @Test
  void deliveriesThatFailAreTheDestinationsFaultWhateverElseThereIs() {
    unreadBytes = 90_000;
    sealingMillis = 2_000;
    paced = true;
    retrying = 1;
    assertEquals(Limit.DESTINATION, limit());
    retrying = 0;
    retryingMillis = 200;
    assertEquals(Limit.DESTINATION, limit());
    retryingMillis = 20;
    assertEquals(Limit.CPU, limit());
  }

  @Test
  void aDestinationThatHasNotToldWhatItHoldsIsAtFault() {
    connected = false;
    assertEquals(Limit.DESTINATION, limit());
  }

  @Test
  void filesThatCannotBeReadAreNamed() {
    unreadBytes = 9_000;
    unreadableBytes = 8_000;
    assertEquals(Limit.SOURCES, limit());
  }

  @Test
  void whereNothingIsAtItsLimitTheBoundIsTooSmallForTheWriters() {
    unreadBytes = 9_000;
    sealingMillis = 300;
    assertEquals(Limit.WRITERS, limit());
  }
}
