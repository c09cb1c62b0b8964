package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.delivery.measure.CodecSpeeds;
import dev.tailwater.delivery.measure.LaneMeter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock stands still unless a test moves it; what codecs can do is made up. */
class CodecSelectorTest {
  private static final int SEGMENT_BYTES = 8 << 20;

  private long nanos = 3;
  private final LaneMeter meter = LaneMeter.create(() -> nanos);
  private final CodecSpeeds speeds = new CodecSpeeds();

  /** For each codec level: megabytes per second of one thread, and size in thousandths. */
  private static final List<List<Integer>> LOGS =
      List.of(
          List.of(4_000, 1_000),
          List.of(600, 280),
          List.of(300, 156),
          List.of(200, 158),
          List.of(80, 130),
          List.of(50, 122));

  private CodecSelector selector(Codec told, long unreadBytes) {
    CodecSelector selector =
        new CodecSelector(
            new CodecSelector.Settings(told, SEGMENT_BYTES, () -> unreadBytes, () -> nanos),
            meter,
            speeds);
    selector.select(true);
    return selector;
  }

  private void sampled(Codec told, List<List<Integer>> results) {
    for (int i = 0; i < results.size(); i++) {
      Codec codec = CodecLevels.around(told).get(i);
      List<Integer> result = results.get(i);
      speeds.sampled(
          codec, 1_000_000, result.getLast() * 1_000L, 1_000_000_000L / result.getFirst());
    }
  }

  private void uplink(long bytesPerSecond) {
    for (int i = 0; i < 400; i++) {
      meter.uplink().begin();
      nanos += TimeUnit.MILLISECONDS.toNanos(50);
      meter.uplink().end(bytesPerSecond / 20);
    }
  }

  private Codec chosen(long megabytesPerSecond) {
    Codec told = new Codec.Zstd(1);
    CodecSelector selector = selector(told, 1L << 30);
    uplink(megabytesPerSecond * 1_000_000);
    sampled(told, LOGS);
    selector.tune();
    return selector.codec();
  }

  @Test
  void theSlowerTheUplinkTheStrongerTheCodec() {
    assertEquals(new Codec.Zstd(9), chosen(2));
    assertEquals(new Codec.Zstd(6), chosen(8));
    assertEquals(new Codec.Zstd(1), chosen(40));
    assertEquals(new Codec.Zstd(-5), chosen(200));
    assertEquals(new Codec.Store(), chosen(2_000));
  }

  @Test
  void moreThreadsAffordAStrongerCodec() {
    Codec told = new Codec.Zstd(1);
    meter.sealing().enter();
    meter.sealing().enter();
    meter.awaitingStaging().enter();
    meter.awaitingStaging().enter();
    CodecSelector selector = selector(told, 1L << 30);
    uplink(8_000_000);
    sampled(told, LOGS);
    selector.tune();
    assertEquals(new Codec.Zstd(9), selector.codec());
  }

  @Test
  void anUplinkThatNobodyWaitsForIsTriedOutWithFasterCodecs() {
    Codec told = new Codec.Zstd(1);
    CodecSelector selector = selector(told, 1L << 30);
    uplink(40_000_000);
    sampled(told, LOGS);
    selector.tune();
    assertEquals(told, selector.codec());
    meter.sealing().enter();
    for (int i = 0; i < 20; i++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(50);
      selector.tune();
    }
    assertEquals(new Codec.Store(), selector.codec());
    meter.sealing().leave();
    meter.awaitingStaging().enter();
    nanos += TimeUnit.MILLISECONDS.toNanos(50);
    selector.tune();
    assertEquals(told, selector.codec(), "it carries no more than it did");
  }

  @Test
  void staysWithTheUsersCodecWhereNoneMakesBytesSmaller() {
    Codec told = new Codec.Zstd(1);
    CodecSelector selector = selector(told, 1L << 30);
    uplink(2_000_000);
    sampled(
        told,
        List.of(
            List.of(4_000, 1_000),
            List.of(900, 1_000),
            List.of(800, 1_000),
            List.of(500, 1_000),
            List.of(90, 1_000),
            List.of(60, 999)));
    selector.tune();
    assertEquals(told, selector.codec());
  }

  @Test
  void gzipStaysGzipAndItsLevelChanges() {
    Codec told = new Codec.Gzip(9);
    CodecSelector selector = selector(told, 1L << 30);
    uplink(100_000_000);
    sampled(told, List.of(List.of(90, 190), List.of(70, 180), List.of(35, 150), List.of(20, 148)));
    selector.tune();
    assertEquals(new Codec.Gzip(1), selector.codec());
  }

  @Test
  void whatIsDoneSoonIsDoneAsTheUserSays() {
    Codec told = new Codec.Zstd(1);
    CodecSelector selector = selector(told, 1_000_000);
    uplink(2_000_000);
    sampled(told, LOGS);
    selector.tune();
    assertEquals(told, selector.codec());
  }

  @Test
  void doesAsTheUserSaysWhenTheHurryIsOver() {
    Codec told = new Codec.Zstd(1);
    CodecSelector selector = selector(told, 1L << 30);
    uplink(2_000_000);
    sampled(told, LOGS);
    selector.tune();
    assertEquals(new Codec.Zstd(9), selector.codec());
    selector.select(false);
    assertEquals(told, selector.codec());
    assertEquals(SEGMENT_BYTES, selector.longestStagedBytes());
    sampled(told, LOGS);
    selector.tune();
    assertEquals(told, selector.codec());
    assertFalse(selector.wantsSample());
  }

  @Test
  void oneSampleTellsOfAllCodecs() {
    byte[] bytes = new byte[300_000];
    new Random(5).nextBytes(bytes);
    for (Codec told : List.of(new Codec.Zstd(2), new Codec.Gzip(6))) {
      CodecSelector selector = selector(told, 1L << 30);
      assertTrue(selector.wantsSample());
      selector.sample(bytes, 0, bytes.length);
      assertFalse(selector.wantsSample());
      for (Codec codec : CodecLevels.around(told)) {
        assertEquals(1, speeds.of(codec).orElseThrow().stagedPerRawByte(), 0.02, codec.toString());
      }
    }
  }

  @Test
  void segmentsTakeHalfASecondOfTheUplinkButAreNeverTiny() {
    CodecSelector selector = selector(new Codec.Zstd(1), 1L << 30);
    assertEquals(1 << 20, selector.longestStagedBytes(), "before anything is known");
    uplink(4 << 20);
    selector.tune();
    assertEquals(2 << 20, selector.longestStagedBytes(), 100_000);
    uplink(1_000);
    selector.tune();
    assertEquals(1 << 20, selector.longestStagedBytes());
    uplink(1L << 30);
    selector.tune();
    assertEquals(SEGMENT_BYTES, selector.longestStagedBytes());
  }
}
