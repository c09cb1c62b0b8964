package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.restore.compact.CompactReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What segments have too is left out of packs when they are merged. */
class CompactedIntoSegmentsTest extends CompactFixture {
  private List<PackedRange> ranges(PackName pack) throws IOException {
    try (InputStream object = archive.destination.read(pack.key(), 0, Long.MAX_VALUE)) {
      return new PackOpener().open(pack, object, List.of(KEYS.identity())).directory().ranges();
    }
  }

  private List<PackedRange> ranges() throws IOException {
    List<PackedRange> all = new ArrayList<>();
    for (PackName pack : packs()) {
      all.addAll(ranges(pack));
    }
    return all;
  }

  /** Where the range of each stream in a pack ends. */
  private List<Integer> ends(int pack) throws IOException {
    return ranges(packs().get(pack)).stream().map(one -> (int) one.range().endBytes()).toList();
  }

  /** Puts a segment of each file, between these offsets of each. */
  private List<String> segments(List<Integer> starts, List<Integer> ends) throws IOException {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> file : files.entrySet()) {
      int number = keys.size();
      byte[] contents = file.getValue().toByteArray();
      keys.add(file.getKey().segment(contents, starts.get(number), ends.get(number)));
    }
    return keys;
  }

  private static final List<Integer> BEGINNING = List.of(0, 0, 0, 0, 0);

  private void encryptSegments() {
    archive.with(new Codec.Zstd(1), List.of(KEYS.recipient()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rangesThatSegmentsHaveLeaveThePacks(boolean encrypted) throws IOException {
    deliver(encrypted);
    if (encrypted) {
      encryptSegments();
    }
    List<Integer> covered = ends(7);
    segments(BEGINNING, covered);
    long coveredBytes = covered.stream().mapToLong(Integer::longValue).sum();
    assertEquals(coveredBytes, plan().coveredBytes());
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(), report.damages());
    assertEquals(coveredBytes, report.coveredBytes());
    assertEquals(1, packs().size());
    assertEquals(covered, ranges().stream().map(r -> (int) r.range().startBytes()).toList());
    assertWhole();
    CompactReport second = compact(archive.destination);
    assertEquals(0, second.mergedPacks() + second.coveredBytes(), "nothing is left to do");
  }

  @Test
  void severalSegmentsThatFollowEachOtherCountAsOne() throws IOException {
    deliver(false);
    List<Integer> ends = ends(7);
    List<Integer> middle = ends(3).stream().map(end -> end + 1).toList(); // Within a range.
    segments(BEGINNING, middle);
    segments(middle, ends);
    assertEquals(List.of(), compact(archive.destination).damages());
    assertEquals(ends, ranges().stream().map(r -> (int) r.range().startBytes()).toList());
    assertWhole();
  }

  @Test
  void theLastRangeStaysSoThatTheFileIsDescribed() throws IOException {
    deliver(false);
    List<ByteRange> last = ranges(packs().getLast()).stream().map(PackedRange::range).toList();
    segments(BEGINNING, ends(PACKS - 1));
    assertEquals(List.of(), compact(archive.destination).damages());
    assertEquals(last, ranges().stream().map(PackedRange::range).toList());
    assertWhole();
    Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> first =
        files.entrySet().iterator().next();
    assertEquals(
        first.getValue().size(),
        archive.index(reading()).find(first.getKey().id.text()).orElseThrow().knownEndBytes());
  }

  @Test
  void packsOfWhichNothingStaysSayOnlyWhatTheySaidOfFiles() throws IOException {
    deliver(false);
    List<Integer> covered = ends(9);
    segments(BEGINNING, covered);
    archive.destination.delete(packs().get(6).key()); // So there are two neighbourhoods.
    assertEquals(List.of(), compact(archive.destination).damages());
    assertEquals(2, packs().size());
    assertEquals(List.of(), ranges(packs().getFirst()));
    assertEquals(covered, ranges().stream().map(r -> (int) r.range().startBytes()).toList());
    assertFilesAreWhole();
  }

  @Test
  void aSegmentWithOtherBytesIsNamedAndNothingIsLeftOutForIt() throws IOException {
    deliver(false);
    List<Integer> ends = ends(7);
    Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> first =
        files.entrySet().iterator().next();
    byte[] other = first.getValue().toByteArray();
    other[0] ^= 1;
    String key = first.getKey().segment(other, 0, ends.getFirst());
    CompactReport report = compact(archive.destination);
    assertEquals(1, report.damages().size());
    assertEquals(key, report.damages().getFirst().key());
    assertEquals(
        0,
        ranges().stream()
            .filter(r -> r.number() == 0)
            .findFirst()
            .orElseThrow()
            .range()
            .startBytes());
  }

  @Test
  void aDamagedSegmentIsNamedAndNothingIsLeftOutForIt() throws IOException {
    deliver(false);
    String damaged = segments(BEGINNING, ends(7)).getFirst();
    archive.damage(damaged, 20);
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(damaged), report.damages().stream().map(Damage::key).toList());
    assertEquals(0, ranges().getFirst().range().startBytes());
    assertTrue(report.coveredBytes() > 0, "of the other files, it is");
  }

  @Test
  void aPlainSegmentIsNoSubstituteForEncryptedRanges() throws IOException {
    deliver(true);
    segments(BEGINNING, ends(7));
    assertEquals(0, compact(archive.destination).coveredBytes());
    ranges().forEach(range -> assertEquals(0, range.range().startBytes()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whereSignaturesAreCheckedOnlySignedSegmentsCount(boolean signedSegments) throws IOException {
    SigningKey agent = SigningKey.generate(new SecureRandom());
    SigningKey compactor = SigningKey.generate(new SecureRandom());
    archive.signedBy(new ObjectSigner(agent, () -> 1));
    deliver(false);
    if (!signedSegments) {
      archive.signer = Optional.empty();
    }
    segments(BEGINNING, ends(7));
    trust =
        Trust.parse(
            "keys",
            "web-1 " + agent.publicKey() + "\ncompactor night " + compactor.publicKey() + "\n");
    signer = Optional.of(new ObjectSigner(compactor, () -> 2));
    CompactReport report = compact(archive.destination);
    assertEquals(signedSegments, report.coveredBytes() > 0);
    assertEquals(signedSegments, report.damages().isEmpty());
    if (signedSegments) {
      assertWhole();
    }
  }

  @Test
  void afterACrashAtAnyCallTheArchiveIsWholeAndTheNextRunFinishes() throws IOException {
    deliver(true);
    encryptSegments();
    List<Integer> covered = ends(7);
    segments(BEGINNING, covered);
    for (int call = 1; packs().size() > 1; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        compactAndDie(call, crash);
        assertWhole();
      }
      assertTrue(call < 100, "it never finishes");
    }
    assertEquals(covered, ranges().stream().map(r -> (int) r.range().startBytes()).toList());
    assertFalse(ranges().isEmpty());
  }

  /** An agent merges segments between the listing and the look at what a killed run has left. */
  @Test
  void aMergedPackIsNotToBlameForSegmentsThatAreMergedMeanwhile() throws IOException {
    deliver(false);
    List<Integer> covered = ends(7);
    List<Integer> middle = ends(3);
    List<String> parts = new ArrayList<>(segments(BEGINNING, middle));
    parts.addAll(segments(middle, covered));
    for (int call = 1; packs().size() == PACKS; call++) {
      compactAndDie(call, DestinationFault.CRASH_AFTER);
    }
    assertEquals(PACKS + 1, packs().size());
    AtomicBoolean merged = new AtomicBoolean();
    Destination merging =
        new ForwardingDestination(archive.destination) {
          @Override
          public InputStream read(String key, long startBytes, long mostBytes)
              throws DestinationException {
            if (parts.contains(key) && merged.compareAndSet(false, true)) {
              try {
                segments(BEGINNING, covered);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              for (String part : parts) {
                real().delete(part);
              }
            }
            return real().read(key, startBytes, mostBytes);
          }
        };

    CompactReport report = compact(merging);

    assertTrue(merged.get());
    assertEquals(List.of(), report.damages());
    assertWhole();
  }
}
