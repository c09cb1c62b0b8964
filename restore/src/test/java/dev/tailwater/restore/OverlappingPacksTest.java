package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.read.OverlapCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of a stream that are both in packs and in a segment. */
class OverlappingPacksTest extends CompactFixture {
  private Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> first() {
    return files.entrySet().iterator().next();
  }

  private ArchivedStream stream() throws IOException {
    return archive.index(reading()).find(first().getKey().id.text()).orElseThrow();
  }

  /** Reads the segments, and returns the ranges in packs that are to be read as well. */
  private List<StoredSegment> wantedAfterSegments(ArchivedStream stream) throws IOException {
    OverlapCheck check = OverlapCheck.of(stream);
    SegmentSource source = new SegmentSource(archive.destination, reading());
    for (StoredSegment segment : stream.segments()) {
      if (segment.pack().isEmpty()) {
        check.compare(source, stream, segment);
      }
    }
    assertEquals(List.of(), check.conflicts());
    return stream.segments().stream()
        .filter(one -> one.pack().isPresent() && check.wants(stream.keyOf(one), one))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsThatStateTheChecksumOfASegmentAreNotRead(boolean encrypted) throws IOException {
    deliver(encrypted);
    if (encrypted) {
      archive.with(new Codec.Zstd(1), List.of(KEYS.recipient()));
    }
    byte[] contents = first().getValue().toByteArray();
    first().getKey().segment(contents, 0, contents.length);

    assertEquals(List.of(), wantedAfterSegments(stream()));
    assertWhole();
  }

  @Test
  void packsThatReachBeyondASegmentAreRead() throws IOException {
    deliver(false);
    byte[] contents = first().getValue().toByteArray();
    List<StoredSegment> packed = stream().segments();
    int end = (int) packed.get(3).range().startBytes() + 1;
    int start = (int) packed.get(1).range().startBytes() + 1;
    first().getKey().segment(contents, start, end);

    List<StoredSegment> wanted = wantedAfterSegments(stream());

    assertEquals(
        List.of(packed.get(1).range(), packed.get(3).range()),
        wanted.stream().map(StoredSegment::range).toList());
    assertWhole();
  }

  @Test
  void packsThatDisagreeWithASegmentAreReadAndNamed() throws IOException {
    deliver(false);
    byte[] contents = first().getValue().toByteArray();
    ArchivedStream before = stream();
    long at = before.segments().get(2).range().startBytes();
    byte[] other = contents.clone();
    other[(int) at]++;
    first().getKey().segment(other, 0, other.length);

    RestoreReport report = restore(archive, RestoreOptions.of(reading()));

    RestoredStream doubtful =
        report.streams().stream()
            .filter(one -> one.stream().equals(before.id()))
            .findFirst()
            .orElseThrow();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, doubtful.damages().size(), doubtful.damages().toString());
    assertTrue(doubtful.damages().getFirst().why().contains("from byte " + at));
  }

  @Test
  void plainSegmentsDoNotVouchForEncryptedPacks() throws IOException {
    deliver(true);
    byte[] contents = first().getValue().toByteArray();
    first().getKey().segment(contents, 0, contents.length);

    assertEquals(PACKS, wantedAfterSegments(stream()).size());
    assertFalse(stream().isAllEncrypted());
  }
}
