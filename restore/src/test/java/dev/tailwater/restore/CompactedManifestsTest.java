package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.list.ArchiveIndex;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a compactor does to the manifests of an archive. */
class CompactedManifestsTest extends CompactFixture {
  private List<ManifestName> manifests() throws IOException {
    return archive.destination.list("", Optional.empty(), 1000).entries().stream()
        .flatMap(entry -> ManifestName.parse(entry.key()).stream())
        .toList();
  }

  private long requestsOfAnIndex() throws IOException {
    FaultyDestination counting =
        FaultyDestination.wrap(archive.destination, DestinationFaultPlan.none());
    ArchiveIndex index = new TestArchive(counting).index(reading());
    assertEquals(List.of(), index.damages());
    return counting.callCount();
  }

  @Test
  void manifestsAreWrittenAndRepaired() throws IOException {
    deliverGroups(20);
    assertEquals(1 + 20, requestsOfAnIndex());
    assertEquals(1, compact(archive.destination).manifests());
    assertEquals(1 + 1, requestsOfAnIndex());
    CompactReport again = compact(archive.destination);
    assertEquals(0, again.manifests() + again.removedManifests(), "nothing is left to do");
    archive.damage(manifests().getFirst().key(), 40);
    CompactReport repaired = compact(archive.destination);
    assertEquals(1, repaired.manifests());
    assertEquals(1, repaired.removedManifests());
    assertEquals(1, repaired.damages().size(), "it is said once");
    assertEquals(1 + 1, requestsOfAnIndex());
    assertWhole();
  }

  @Test
  void whatAManifestRepeatsWronglyIsNotHandedOn() throws IOException {
    deliverGroups(2);
    compact(archive.destination);
    ManifestName name = manifests().getFirst();
    List<PackFront> fronts = new ArrayList<>();
    for (PackFront front : read(name)) {
      byte[] bytes = front.bytes().clone();
      bytes[PackOpener.wantedBytes(front.name()) / 2] ^= 1;
      fronts.add(new PackFront(front.name(), front.objectBytes(), bytes));
    }
    archive.destination.delete(name.key());
    archive.destination.putSegment(name.key(), ByteBuffer.wrap(ManifestFormat.encode(fronts)));
    assertEquals(1, compact(archive.destination).manifests());
    assertEquals(1 + 1, requestsOfAnIndex());
    for (PackFront front : read(manifests().getFirst())) {
      assertTrue(front.isSound(new PackOpener()), front.name()::key);
    }
    assertWhole();
  }

  private List<PackFront> read(ManifestName name) throws IOException {
    try (InputStream object = archive.destination.read(name.key(), 0, Long.MAX_VALUE)) {
      return ManifestFormat.decode(name, object.readAllBytes());
    }
  }

  @Test
  void manifestsOfPacksThatAreGoneAreRemovedAndOthersStay() throws IOException {
    deliverGroups(4);
    compact(archive.destination);
    List<ManifestName> before = manifests();
    for (PackName pack : packs()) {
      archive.destination.delete(pack.key());
    }
    files.clear();
    deliverGroups(2);
    // Too young to be listed, and no reason to remove a manifest.
    compactGroupsBefore(0);
    assertEquals(List.of(), manifests());
    assertEquals(1, compact(archive.destination).manifests());
    assertFalse(before.contains(manifests().getFirst()));
    assertWhole();
  }

  @Test
  void aCrashAtAnyCallLeavesManifestsThatDoNoHarm() throws IOException {
    deliverGroups(5);
    compact(archive.destination);
    deliverGroups(8);
    for (int call = 1; call < 60; call++) {
      compactAndDie(call, DestinationFault.CRASH_AFTER);
      assertTrue(requestsOfAnIndex() <= 1 + 13);
      assertWhole();
    }
    compact(archive.destination);
    assertEquals(1, manifests().size());
    assertEquals(1 + 1, requestsOfAnIndex());
  }

  @Test
  void whatWasJustMergedIsListedThoughItIsYoung() throws IOException {
    deliver(false);
    deliverGroups(1);
    compactGroupsBefore(System.currentTimeMillis());
    assertTrue(packs().stream().anyMatch(pack -> pack.id().isMerged()));
    assertEquals(1, manifests().size());
    assertWhole();
  }
}
