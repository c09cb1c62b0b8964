package dev.tailwater.io.watch.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The known files of a directory beside a plain map; {@code -Dtailwater.seed=N} repeats. */
final class KnownFilesTest {
  private static final int STEPS = 20_000;

  private final long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());

  /** Any bytes that can be in a name, with many common beginnings, up to the longest name. */
  private static PosixPath hostileName(SplittableRandom random, int variety) {
    SplittableRandom chosen = new SplittableRandom(random.nextInt(variety));
    byte[] bytes = new byte[1 + chosen.nextInt(255)];
    byte fill = (byte) (1 + chosen.nextInt(255));
    for (int i = 0; i < bytes.length; i++) {
      byte other = (byte) (1 + chosen.nextInt(255));
      bytes[i] = i < bytes.length - 4 ? fill : other == '/' ? (byte) '\n' : other;
    }
    return PosixPath.of(bytes);
  }

  private static KnownFile file(SplittableRandom random) {
    return new KnownFile(
        random.nextLong(),
        random.nextLong(),
        random.nextInt(),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static List<PosixPath> all(KnownFiles files, boolean unmarked) {
    List<PosixPath> all = new ArrayList<>();
    PosixPath last = PosixPath.EMPTY;
    while (true) {
      List<PosixPath> some = unmarked ? files.unmarkedAfter(last) : files.namesAfter(last);
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
      last = some.getLast();
    }
  }

  @Test
  void holdsWhatAMapHolds() {
    SplittableRandom random = new SplittableRandom(seed);
    KnownFiles files = new KnownFiles();
    NavigableMap<PosixPath, KnownFile> model = new TreeMap<>();
    Set<PosixPath> marked = new HashSet<>();
    int variety = 2_000;
    for (int step = 0; step < STEPS; step++) {
      // Grows and shrinks in turn, so that pages are split and joined.
      boolean growing = step / 2_500 % 2 == 0;
      PosixPath name = hostileName(random, variety);
      String message = "repeat with -Dtailwater.seed=" + seed + ", step " + step;
      int choice = random.nextInt(10);
      if (choice < (growing ? 6 : 2)) {
        KnownFile file = file(random);
        files.put(name, file);
        model.put(name, file);
        marked.add(name);
      } else if (choice < 8) {
        assertEquals(Optional.ofNullable(model.remove(name)), files.remove(name), message);
        marked.remove(name);
      } else if (choice == 8) {
        assertEquals(model.containsKey(name), files.mark(name), message);
        if (model.containsKey(name)) {
          marked.add(name);
        }
      } else if (random.nextInt(200) == 0) {
        files.clearMarks();
        marked.clear();
      }
      assertEquals(Optional.ofNullable(model.get(name)), files.find(name), message);
      assertEquals(model.containsKey(name), files.contains(name), message);
      assertEquals(model.size(), files.size(), message);
      if (step % 500 == 0) {
        assertSame(model, marked, files, message);
      }
    }
    assertSame(model, marked, files, "repeat with -Dtailwater.seed=" + seed);
    files.clear();
    assertSame(new TreeMap<>(), Set.of(), files, "cleared");
  }

  private static void assertSame(
      NavigableMap<PosixPath, KnownFile> model,
      Set<PosixPath> marked,
      KnownFiles files,
      String message) {
    assertEquals(List.copyOf(model.keySet()), all(files, false), message);
    assertEquals(
        model.keySet().stream().filter(name -> !marked.contains(name)).toList(),
        all(files, true),
        message);
    assertEquals(
        model.keySet().stream().mapToLong(PosixPath::lengthBytes).sum(),
        files.nameBytes(),
        message);
    model.forEach((name, file) -> assertEquals(Optional.of(file), files.find(name), message));
  }

  @Test
  void filesTakeFewBytesBesideTheirNamesInWhateverOrderTheyCome() {
    List<PosixPath> names = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      names.add(PosixPath.of("access-%09d.log".formatted(i)));
    }
    assertTakesAtMost(33, names);
    Collections.reverse(names);
    assertTakesAtMost(33, names);
    Collections.shuffle(names, new Random(seed));
    assertTakesAtMost(40, names);
  }

  private static void assertTakesAtMost(int bytesEach, List<PosixPath> names) {
    KnownFiles files = new KnownFiles();
    names.forEach(name -> files.put(name, new KnownFile(1, 2, 3, false, false)));
    assertEquals(names.size(), files.size());
    long without = (files.memoryBytes() - files.nameBytes()) / files.size();
    assertTrue(without <= bytesEach, without + " bytes for each file");
  }

  @Test
  void memoryIsGivenBackWhenFilesAreRemoved() {
    KnownFiles files = new KnownFiles();
    List<PosixPath> names = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      names.add(PosixPath.of("x".repeat(i % 200) + i));
    }
    names.forEach(name -> files.put(name, new KnownFile(1, 2, 3, false, false)));
    long full = files.memoryBytes();
    Collections.shuffle(names, new Random(seed));
    names.subList(0, 19_000).forEach(files::remove);
    assertTrue(files.memoryBytes() < full / 10, files.memoryBytes() + " of " + full);
    names.subList(19_000, 20_000).forEach(files::remove);
    assertEquals(0, files.memoryBytes());
  }

  private static FileStatus status(
      long inode, OptionalLong birth, long size, long mtime, long ctime) {
    return new FileStatus(
        1, inode, EntryType.REGULAR, 0, 0, 0, 1, size, 0, 4096, mtime, ctime, birth, 1);
  }

  @Test
  void tellsFilesAndTheirStatesApart() {
    OptionalLong born = OptionalLong.of(7);
    KnownFile file = KnownFile.of(status(5, born, 10, 20, 30), false);
    assertTrue(file.isOf(status(5, born, 11, 21, 31)));
    assertFalse(file.isOf(status(6, born, 10, 20, 30)));
    assertFalse(file.isOf(status(5, OptionalLong.of(8), 10, 20, 30)));
    assertFalse(file.isOf(status(5, OptionalLong.empty(), 10, 20, 30)));
    assertFalse(file.differs(status(5, born, 10, 20, 30)));
    assertTrue(file.differs(status(5, born, 10, 20, 31)));
    assertFalse(file.contentDiffers(status(5, born, 10, 20, 31)));
    assertTrue(file.contentDiffers(status(5, born, 11, 20, 30)));
    assertTrue(file.contentDiffers(status(5, born, 10, 21, 30)));
    assertTrue(file.contentDiffers(status(5, born, 20, 10, 30)), "exchanged");
    assertEquals(file, file.withUnseenWrite(true).withUnseenWrite(false));
  }
}
