package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of packs that become one, as each run of an agent leaves at least one. */
class GroupJoiningTest extends CompactFixture {
  /** What the archive says of each stream. */
  private Map<String, String> told() throws IOException {
    ArchiveIndex index = archive.index(reading());
    assertEquals(List.of(), index.damages());
    Map<String, String> told = new TreeMap<>();
    for (ArchivedStream stream : index.streams()) {
      told.put(
          stream.prefix(),
          stream.path()
              + " "
              + stream.covered().ranges()
              + " "
              + stream.openGaps()
              + " "
              + stream.record()
              + " "
              + stream.knownEndBytes());
    }
    return told;
  }

  /** Groups of some packs, in which files come, grow, are rewritten, renamed, torn and ended. */
  private void deliverHistory(Random random, boolean encrypted) throws IOException {
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    List<TestArchive.TestStream> streams = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      streams.add(archive.stream("/p/file" + random.nextInt(1000) + "-" + i, i + 1));
      files.put(streams.getLast(), new ByteArrayOutputStream());
    }
    for (int group = 0; group < 4; group++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + group, recipients);
      for (int pack = random.nextInt(4); pack >= 0; pack--) {
        for (TestArchive.TestStream stream : streams) {
          ByteArrayOutputStream contents = Objects.requireNonNull(files.get(stream));
          switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
              byte[] some = new byte[1 + random.nextInt(2000)];
              random.nextBytes(some);
              packs.add(stream, contents.size(), some);
              contents.writeBytes(some);
            }
            case 3 -> {
              stream.path = PosixPath.of("/p/moved" + random.nextInt(1000));
              packs.say(
                  new StreamFact.Renamed(packs.number(stream), stream.path, random.nextInt(1000)));
            }
            case 4 ->
                packs.say(
                    new StreamFact.Attributes(
                        packs.number(stream),
                        random.nextInt(01000),
                        contents.size(),
                        random.nextInt(1_000_000),
                        packs.latestMillis() + 1));
            case 5 ->
                packs.say(
                    new StreamFact.Ended(
                        packs.number(stream),
                        StreamRecord.EndReason.DELETED,
                        contents.size(),
                        random.nextInt(1000)));
            case 6 -> packs.say(new StreamFact.Continued(packs.number(stream)));
            default -> {}
          }
        }
        packs.deliver();
      }
    }
    files.values().removeIf(one -> one.size() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupsBecomeOneAndTheArchiveSaysTheSame(boolean encrypted) {
    rounds(
        15,
        (random, _) -> {
          GroupJoiningTest round = new GroupJoiningTest();
          round.deliverHistory(random, encrypted);
          Map<String, String> before = round.told();
          CompactReport report = round.compact(round.archive.destination);
          assertEquals(List.of(), report.damages());
          assertEquals(2, round.packs().size(), () -> report.toString());
          assertEquals(before, round.told());
          round.assertWhole();
          assertEquals(0, round.compact(round.archive.destination).mergedPacks());
        });
  }

  /** Of the runs of an agent, some make packs and others tell of files beside them. */
  @Test
  void whatWasToldLastOfAFileCountsWhoeverToldItAndHoweverItWasMerged() {
    rounds(
        60,
        (random, _) -> {
          GroupJoiningTest round = new GroupJoiningTest();
          List<TestArchive.TestStream> streams = round.tellInTurns(random);
          round.assertTold(streams);
          assertEquals(List.of(), round.compact(round.archive.destination).damages());
          round.assertTold(streams);
        });
  }

  private List<TestArchive.TestStream> tellInTurns(Random random) throws IOException {
    List<TestArchive.TestStream> streams = new ArrayList<>();
    Map<TestArchive.TestStream, Integer> lengths = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      streams.add(archive.stream("/p/file-" + i, i + 1));
    }
    long nowMillis = 1_700_000_000_000L;
    for (int run = 0; run < 6; run++) {
      boolean makesPacks = run == 0 || random.nextBoolean();
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + run, List.of());
      for (TestArchive.TestStream stream : streams) {
        boolean moves = run == 0 || random.nextInt(3) == 0;
        if (moves) {
          stream.path = PosixPath.of("/p/" + run + stream.birthPath.fileName());
          stream.permissions = random.nextInt(01000);
          stream.arrivalNanos = OptionalLong.of(run + 1);
        }
        nowMillis += random.nextInt(10);
        if (makesPacks && (run == 0 || random.nextInt(3) > 0 || moves)) {
          stream.permissions = random.nextInt(01000);
          packs.add(stream, lengths.merge(stream, 1, Integer::sum) - 1L, new byte[] {1});
        } else if (moves) {
          stream.renamedAt(stream.path.toString(), ++nowMillis);
        }
      }
      packs.at(++nowMillis).deliver();
    }
    return streams;
  }

  private void assertTold(List<TestArchive.TestStream> streams) throws IOException {
    ArchiveIndex index = archive.index(reading());
    assertEquals(List.of(), index.damages());
    for (TestArchive.TestStream stream : streams) {
      ArchivedStream found = index.find(stream.id.text()).orElseThrow();
      assertEquals(stream.path, found.path(), () -> found.record().toString());
      assertEquals(stream.permissions, found.record().orElseThrow().permissions());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCrashAtAnyCallOfJoiningGroupsLosesAndDoublesNothing(boolean encrypted) throws IOException {
    deliverHistory(new Random(5), encrypted);
    Map<String, String> before = told();
    for (int call = 1; packs().size() > 2; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        compactAndDie(call, crash);
        assertEquals(before, told());
        assertWhole();
      }
      assertTrue(call < 200, "it never finishes");
    }
    assertEquals(before, told());
  }

  @Test
  void anAgentKnowsWhatJoinedPacksHold() throws IOException {
    deliverHistory(new Random(6), true);
    assertEquals(List.of(), compact(archive.destination).damages());
    PackName joined = packs().getFirst();
    assertTrue(joined.id().isMerged());
    List<PackDirectory> known = forAgent(joined, TestArchive.CONTENT_KEY);
    assertEquals(3, known.stream().map(one -> one.id().group()).distinct().count());
  }

  private List<PackDirectory> forAgent(PackName pack, ContentKey key) throws IOException {
    try (InputStream object = archive.destination.read(pack.key(), 0, Long.MAX_VALUE)) {
      return new PackOpener()
          .openForAgent(pack, new ByteArrayInputStream(object.readAllBytes()), Optional.of(key));
    }
  }

  /** An agent whose key was lost with its state has begun anew, behind what it cannot read. */
  @Test
  void anAgentKnowsWhatItHasDeliveredSinceItHasItsKey() throws IOException {
    byte[] key = new byte[ContentKey.KEY_BYTES];
    Arrays.fill(key, (byte) 7);
    ContentKey lost = ContentKey.of(key);
    List<Recipient> recipients = List.of(KEYS.recipient());
    for (int run = 0; run < 4; run++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + run, recipients);
      if (run < 2) {
        packs.withContentKey(lost);
      }
      packs.add(archive.stream("/p/file" + run, run + 1), 0, new byte[] {1}).deliver();
    }
    List<PackName> before = packs();
    assertEquals(List.of(), compact(archive.destination).damages());
    PackName joined = packs().getFirst();
    assertEquals(2, packs().size());
    assertEquals(
        List.of(before.get(2).id().group()),
        forAgent(joined, TestArchive.CONTENT_KEY).stream().map(one -> one.id().group()).toList());
    assertEquals(List.of(), forAgent(joined, lost));
  }

  @Test
  void theLastGroupOfAnAgentIsLeftToIt() throws IOException {
    deliverGroups(3);
    compact(archive.destination);
    assertEquals(2, packs().size());
    assertEquals(delivered.getLast(), packs().getLast().key());
  }
}
