package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.destination.testkit.DestinationFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent merges packs that it still has in memory after another host has merged some of them with
 * others: ranges of both overlap and are not the same.
 */
class TwiceMergedPacksTest extends CompactFixture {
  private static final int STREAMS = 4;

  private final PackGroup group = PackGroup.begin(1000, new SecureRandom());
  private final List<TestArchive.TestStream> streams = new ArrayList<>();

  private TestPacks begin(boolean encrypted) {
    for (int i = 0; i < STREAMS; i++) {
      streams.add(archive.stream("/p/file" + i, i + 1));
    }
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    return new TestPacks(archive, "web-1", group, recipients);
  }

  /** Delivers packs in which some files grow; one that never does is not in the archive. */
  private void grow(TestPacks packs, int count, Random random) throws IOException {
    for (int i = 0; i < count; i++) {
      for (TestArchive.TestStream stream : streams) {
        if (random.nextInt(4) > 0) {
          byte[] some = new byte[1 + random.nextInt(2000)];
          random.nextBytes(some);
          ByteArrayOutputStream file =
              files.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
          packs.add(stream, file.size(), some);
          file.writeBytes(some);
        }
      }
      packs.deliver();
    }
  }

  private Map<String, byte[]> objects() throws IOException {
    Map<String, byte[]> objects = new HashMap<>();
    for (PackName pack : packs()) {
      try (InputStream object = archive.destination.read(pack.key(), 0, Long.MAX_VALUE)) {
        objects.put(pack.key(), object.readAllBytes());
      }
    }
    return objects;
  }

  /** A host compacts, and the agent goes on and merges some of the same packs with later ones. */
  private void mergeTwice(TestPacks packs, Random random) throws IOException {
    int before = 2 + random.nextInt(5);
    int after = 1 + random.nextInt(4);
    grow(packs, before, random);
    Map<String, byte[]> inMemory = objects();
    compact(archive.destination);
    grow(packs, after, random);
    for (Map.Entry<String, byte[]> pack : inMemory.entrySet()) {
      archive.destination.putSegment(pack.getKey(), ByteBuffer.wrap(pack.getValue()));
    }
    packs.merge(random.nextInt(before), before + after, List.of(KEYS.identity()), true);
    for (String key : inMemory.keySet()) {
      archive.destination.delete(key);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void becomeOnePackWithEachByteOnce(boolean encrypted) {
    rounds(
        30,
        (random, _) -> {
          TwiceMergedPacksTest round = new TwiceMergedPacksTest();
          round.mergeTwice(round.begin(encrypted), random);
          round.assertWhole();
          assertEquals(List.of(), round.compact(round.archive.destination).damages());
          assertEquals(1, round.packs().size());
          round.assertWhole();
          assertEquals(0, round.compact(round.archive.destination).mergedPacks());
        });
  }

  @Test
  void aCrashAtAnyCallLosesAndDoublesNothing() throws IOException {
    mergeTwice(begin(false), new Random(2));
    for (int call = 1; packs().size() > 1; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        compactAndDie(call, crash);
        assertWhole();
      }
      assertTrue(call < 100, "it never finishes");
    }
  }

  /** The lengths are the same, and the bytes are not. */
  @Test
  void packsThatHoldDifferentBytesOfOneRangeStayAndAreNamed() throws IOException {
    List<String> wide = new ArrayList<>();
    for (int byteOfAll = 1; byteOfAll <= 2; byteOfAll++) {
      TestArchive.TestStream stream = archive.stream("/p/file", 1);
      TestPacks packs = new TestPacks(archive, "web-1", group, List.of());
      for (int i = 0; i < 4; i++) {
        byte[] some = new byte[100];
        some[50] = (byte) byteOfAll;
        packs.add(stream, 100L * i, some).deliver();
      }
      wide.add(packs.merge(byteOfAll == 1 ? 0 : 1, byteOfAll == 1 ? 3 : 4, List.of(), true));
      for (PackName pack : packs()) {
        if (!wide.contains(pack.key())) {
          archive.destination.delete(pack.key());
        }
      }
    }
    List<Damage> damages = compact(archive.destination).damages();
    assertEquals(1, damages.size(), damages.toString());
    assertTrue(damages.getFirst().why().contains("others than in " + wide.getFirst()));
    assertEquals(wide, packs().stream().map(PackName::key).toList());
  }
}
