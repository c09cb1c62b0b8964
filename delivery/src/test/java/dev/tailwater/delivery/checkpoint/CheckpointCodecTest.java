package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CheckpointCodecTest {
  private static final FileOwner OWNER = new FileOwner(1, 2, "daemon", "bin");
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
  private static final StreamId ID = StreamId.of("agent", FILE, 0);

  private static String text(String text) {
    return "%04x".formatted(text.length())
        + HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Every byte of the format: an upgrade and a downgrade of the agent read what is there. */
  @Test
  void everyFieldHasItsPlace() throws Exception {
    StreamProgress stream =
        StreamProgress.begin("agent", FILE, ID, PosixPath.of("/log/born"), 1_000);
    stream.acknowledge(new ByteRange(0, 100), new Marker(64, 0x12345678));
    stream.seen(Place.of(PosixPath.of("/log/known")), 0600, 1, OWNER, 1_500);
    stream.described(stream.undescribed().orElseThrow());
    stream.seen(Place.of(PosixPath.of("/log/now")), 0640, 123_456_789, OWNER, 2_000);
    stream.changeTimeSeen(123_456_789, 123_456_789, 3_000);
    stream.changedInPlace(true);
    stream.uncompared(true);
    stream.suspected(true);
    stream.holdsRevisions(0x1122, new RangeSet(), new RangeSet());
    stream.end(new Ending(StreamRecord.EndReason.VANISHED, 110, 120, 3_000));
    ByteBuffer value = EncodedCheckpoint.of(stream.checkpoint());
    assertEquals(
        "01"
            + "0022"
            + "01030000000000000801000000000000004d0000000000000005000000006553f100"
            + text(ID.text())
            + text("/log/born")
            + text("agent/log/born/" + ID.text() + "/")
            + text("/log/now")
            + text("/log/known")
            + "0000000000000064" // Durable bytes,
            + "0000004012345678" // and the marker before their end.
            + "01" // Described.
            + "000001a0"
            + "00000000075bcd15"
            + "00000000000007d0"
            + "01" // Ended.
            + text("VANISHED")
            + "000000000000006e"
            + "0000000000000078"
            + "0000000000000bb8"
            + "01" // Changed in place.
            + "01" // Uncompared.
            + "0000000000001122" // The highest revision,
            + "01" // and something may be replaced where no checksum is known.
            + "01" // The owner is known.
            + "%016x".formatted(OWNER.userId())
            + "%016x".formatted(OWNER.groupId())
            + text(OWNER.user())
            + text(OWNER.group())
            + "01" // A change time vouches for the bytes.
            + "00000000075bcd15"
            + "03", // Something must still be said, and the time is another one.
        HexFormat.of().formatHex(bytes(value)));
    assertEquals(stream.checkpoint(), CheckpointCodec.decode(value));
  }

  /** An earlier version looks at the bits that it knows, and not behind them. */
  @Test
  void whatIsKnownOfUndeliveredBytesIsAtTheEnd() throws Exception {
    StreamProgress stream =
        StreamProgress.begin("agent", FILE, ID, PosixPath.of("/log/first"), 1_000);
    stream.acknowledge(new ByteRange(0, 100), Marker.NONE);
    stream.seen(Place.of(PosixPath.of("/log/first")), 0640, 5, OWNER, 1_000);
    stream.sizeSeen(100);
    String delivered = HexFormat.of().formatHex(bytes(EncodedCheckpoint.of(stream.checkpoint())));
    stream.sizeSeen(0x123);
    ByteBuffer seen = EncodedCheckpoint.of(stream.checkpoint());
    stream.taken(new ByteRange(90, 0x110));
    ByteBuffer taken = EncodedCheckpoint.of(stream.checkpoint());

    String before = delivered.substring(0, delivered.length() - 2);
    assertEquals(before + "00", delivered);
    assertEquals(before + "04" + "0000000000000123", HexFormat.of().formatHex(bytes(seen)));
    assertEquals(
        before + "0c" + "0000000000000123" + "00000001" + "0000000000000064" + "0000000000000110",
        HexFormat.of().formatHex(bytes(taken)));
    assertEquals(stream.checkpoint(), CheckpointCodec.decode(taken));
    assertEquals(0x123, StreamProgress.resume(CheckpointCodec.decode(seen)).earlierSizeBytes());
  }

  /** Earlier versions compare the file, as they do whatever is not compared. */
  @Test
  void whatIsComparedOnceMoreIsKept() throws Exception {
    StreamProgress stream =
        StreamProgress.begin("agent", FILE, ID, PosixPath.of("/log/first"), 1_000);
    stream.comparesOnceMore();
    Checkpoint.Rewriting read =
        CheckpointCodec.decode(EncodedCheckpoint.of(stream.checkpoint())).rewriting();
    assertTrue(read.uncompared() && read.onceMore());
    StreamProgress next =
        StreamProgress.resume(CheckpointCodec.decode(EncodedCheckpoint.of(stream.checkpoint())));
    assertTrue(next.isUncompared());
    assertTrue(next.checkpoint().rewriting().onceMore());
    next.uncompared(true); // It was written to.
    assertFalse(next.checkpoint().rewriting().onceMore());
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.get(value.position(), bytes);
    return bytes;
  }

  /** A file that vanished while no agent ran: no other object may tell its owner. */
  @Test
  void anEndIsDescribedWithTheOwnerThatAnEarlierRunSaw() throws Exception {
    StreamProgress before =
        StreamProgress.begin("agent", FILE, ID, PosixPath.of("/log/first"), 1_000);
    before.seen(Place.of(PosixPath.of("/log/first")), 0640, 5, OWNER, 1_000);
    StreamProgress stream =
        StreamProgress.resume(CheckpointCodec.decode(EncodedCheckpoint.of(before.checkpoint())));
    stream.end(new Ending(StreamRecord.EndReason.VANISHED, 0, 0, 2_000));
    assertEquals(Optional.of(OWNER), stream.undescribed().orElseThrow().record().owner());
  }

  /** An upgrade must not have the archive told of every file. */
  @Test
  void whatAnEarlierVersionSavedCountsAsTold() throws Exception {
    StreamProgress before =
        StreamProgress.begin("agent", FILE, ID, PosixPath.of("/log/first"), 1_000);
    before.acknowledge(new ByteRange(0, 100), Marker.NONE);
    before.seen(Place.of(PosixPath.of("/log/first")), 0640, 5, OWNER, 1_000);
    before.statesTime(4, 900);
    ByteBuffer value = EncodedCheckpoint.of(before.checkpoint());
    assertFalse(StreamProgress.resume(CheckpointCodec.decode(value)).isTimeTold());
    ByteBuffer earlier = value.slice(0, value.limit() - 1);
    StreamProgress stream = StreamProgress.resume(CheckpointCodec.decode(earlier));
    assertTrue(stream.isTimeTold());
    assertTrue(stream.undescribed().isEmpty());
  }
}
