package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A row keeps what was put into it, in order, whatever else changes in it. */
class FileRowTest {
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
  private static final int EPOCHS = 4;
  private static final int ROUNDS = 300;

  private record Saved(Checkpoint checkpoint, List<Byte> blockSums) {}

  private static Checkpoint checkpoint(Random random, int epoch) {
    StreamId id = StreamId.of("agent", FILE, epoch);
    PosixPath path = PosixPath.of("/log/" + "x".repeat(1 + random.nextInt(200)));
    StreamProgress stream = StreamProgress.begin("agent", FILE, id, path, 1_000);
    int length = 1 + random.nextInt(1_000);
    stream.acknowledge(new ByteRange(0, length), new Marker(64, random.nextInt()));
    FileOwner owner = new FileOwner(random.nextInt(9), 2, "user", "group");
    stream.seen(Place.of(path), 0640, random.nextInt(), owner, 2_000);
    if (random.nextInt(3) == 0) {
      stream.end(new Ending(StreamRecord.EndReason.DELETED, length, length, 3_000));
    }
    return stream.checkpoint();
  }

  private static byte[] blockSums(Random random) {
    byte[] sums = new byte[12 * random.nextInt(3)];
    random.nextBytes(sums);
    return sums;
  }

  private static List<Byte> listOf(byte[] bytes) {
    List<Byte> list = new ArrayList<>();
    for (byte one : bytes) {
      list.add(one);
    }
    return list;
  }

  @Test
  void doesWhatAMapDoes() throws IOException {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Map<StreamId, Saved> expected = new LinkedHashMap<>();
      FileRow row = new FileRow();
      for (int change = random.nextInt(12); change > 0; change--) {
        int epoch = random.nextInt(EPOCHS);
        StreamId id = StreamId.of("agent", FILE, epoch);
        if (random.nextInt(3) == 0) {
          Optional<Checkpoint> before =
              Optional.ofNullable(expected.remove(id)).map(Saved::checkpoint);
          assertEquals(before, row.remove(id), "seed " + seed);
        } else {
          Checkpoint checkpoint = checkpoint(random, epoch);
          byte[] sums = blockSums(random);
          row.put(checkpoint, sums);
          expected.put(id, new Saved(checkpoint, listOf(sums)));
        }
        assertSame(expected, row, "seed " + seed);
        row = FileRow.decode(row.encode(new Fields()));
        assertSame(expected, row, "seed " + seed);
      }
    }
  }

  private static void assertSame(Map<StreamId, Saved> expected, FileRow row, String seed)
      throws IOException {
    assertEquals(expected.isEmpty(), row.isEmpty(), seed);
    assertEquals(
        expected.values().stream().map(Saved::checkpoint).toList(), row.checkpoints(), seed);
    assertEquals(
        expected.values().stream().anyMatch(saved -> saved.checkpoint().ending().isPresent()),
        row.hasEnded(),
        seed);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      StreamId id = StreamId.of("agent", FILE, epoch);
      Optional<List<Byte>> sums =
          Optional.ofNullable(expected.get(id)).map(Saved::blockSums).filter(s -> !s.isEmpty());
      assertEquals(sums, row.blockSums(id).map(FileRowTest::listOf), seed);
    }
  }

  @Test
  void refusesAValueThatEndsEarly() throws IOException {
    FileRow row = new FileRow();
    row.put(checkpoint(new Random(1), 0), new byte[12]);
    byte[] value = row.encode(new Fields());
    assertArrayEquals(value, FileRow.decode(value).encode(new Fields()));
    for (int length = 0; length < value.length; length++) {
      byte[] early = Arrays.copyOf(value, length);
      if (length == 1) {
        assertEquals(List.of(), FileRow.decode(early).checkpoints());
      } else {
        assertThrows(IOException.class, () -> FileRow.decode(early), "after " + length);
      }
    }
  }

  @Test
  void refusesACheckpointThatEndsEarly() {
    ByteBuffer value = EncodedCheckpoint.of(checkpoint(new Random(2), 1));
    StreamId id = StreamId.of("agent", FILE, 1);
    for (int length = 0; length < 80; length++) {
      ByteBuffer early = value.slice(0, length);
      assertThrows(IOException.class, () -> CheckpointCodec.decode(early), "after " + length);
      assertThrows(IOException.class, () -> CheckpointCodec.hasEnded(early), "after " + length);
      if (length < 60) {
        assertThrows(IOException.class, () -> CheckpointCodec.isOf(early, id), "after " + length);
      }
    }
  }
}
