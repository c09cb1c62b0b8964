package dev.tailwater.delivery.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock stands still unless a test moves it. */
class MetersTest {
  private long nanos = 17;

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void occupancyAddsUpTheTimeOfAllWhoArePresent() {
    Occupancy occupancy = new Occupancy(() -> nanos);
    pass(5);
    occupancy.enter();
    pass(10);
    occupancy.enter();
    pass(10);
    occupancy.leave();
    pass(10);
    assertEquals(1, occupancy.present());
    assertEquals(TimeUnit.MILLISECONDS.toNanos(40), occupancy.sumNanos());
  }

  @Test
  void theUplinkIsMeasuredOnlyWhileSomethingIsUnderWay() {
    UplinkMeter uplink = new UplinkMeter(() -> nanos);
    assertEquals(OptionalDouble.empty(), uplink.bytesPerSecond());
    for (int i = 0; i < 100; i++) {
      uplink.begin();
      pass(100);
      uplink.end(200_000);
      pass(1_000);
    }
    assertEquals(2e6, uplink.bytesPerSecond().orElseThrow(), 1e5);
  }

  @Test
  void theUplinkForgetsWhatIsLongAgo() {
    UplinkMeter uplink = new UplinkMeter(() -> nanos);
    for (int i = 0; i < 200; i++) {
      uplink.begin();
      pass(100);
      uplink.end(i < 100 ? 200_000 : 2_000_000);
    }
    assertEquals(2e7, uplink.bytesPerSecond().orElseThrow(), 1e6);
  }

  @Test
  void anAttemptThatFailsTakesTimeAndBringsNothing() {
    UplinkMeter uplink = new UplinkMeter(() -> nanos);
    uplink.begin();
    pass(1_000);
    uplink.end(0);
    assertEquals(OptionalDouble.empty(), uplink.bytesPerSecond());
    uplink.begin();
    pass(1_000);
    uplink.end(1_000_000);
    assertTrue(uplink.bytesPerSecond().orElseThrow() < 1e6);
  }

  @Test
  void whatSlowsDownOneCodecIsExpectedOfTheOthersButNotOfCopying() {
    CodecSpeeds speeds = new CodecSpeeds();
    Codec fast = new Codec.Zstd(1);
    Codec strong = new Codec.Zstd(9);
    Codec store = new Codec.Store();
    speeds.sampled(fast, 1_000, 200, 2_000);
    speeds.sampled(strong, 1_000, 100, 20_000);
    speeds.sampled(store, 1_000, 1_003, 100);
    for (int i = 0; i < 50; i++) {
      speeds.sealed(fast, 1_000_000, 400_000, 6_000_000, 500_000);
    }
    assertEquals(60.5, speeds.of(strong).orElseThrow().nanosPerRawByte(), 0.1);
    assertEquals(0.2, speeds.of(strong).orElseThrow().stagedPerRawByte(), 0.001);
    assertEquals(0.6, speeds.of(store).orElseThrow().nanosPerRawByte(), 0.01);
    assertEquals(1, speeds.of(store).orElseThrow().stagedPerRawByte());
  }
}
