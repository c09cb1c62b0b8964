package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.FileIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownGenerationsTest {
  private static final long FILE_SYSTEM = 7;

  private static FileIdentity file(long inode, long generation, long birthTimeNanos) {
    return new FileIdentity(
        FILE_SYSTEM, inode, OptionalLong.of(generation), OptionalLong.of(birthTimeNanos));
  }

  private static OptionalLong find(KnownGenerations known, FileIdentity file) {
    return known.find(file.inode(), file.birthTimeNanos().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 16, 17, 10_000})
  void findsEveryFileThatItHasRoomFor(int files) {
    Random random = new Random(files);
    KnownGenerations known = new KnownGenerations(files);
    List<FileIdentity> added = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      added.add(file(i / 2, random.nextInt() & 0xFFFF_FFFFL, 1_000_000L * (i % 2)));
    }
    added.forEach(known::add);
    added.forEach(known::add); // As the row of another destination does.
    for (FileIdentity file : added) {
      assertEquals(file.generation(), find(known, file));
    }
    assertEquals(OptionalLong.empty(), known.find(files, 0));
  }

  @Test
  void leavesOutWhatItHasNoRoomForAndStillFindsTheOthers() {
    KnownGenerations known = new KnownGenerations(1);
    for (int inode = 0; inode < 100; inode++) {
      known.add(file(inode, inode, 0));
    }
    int found = 0;
    for (int inode = 0; inode < 100; inode++) {
      OptionalLong generation = known.find(inode, 0);
      found += generation.isPresent() ? 1 : 0;
      assertEquals(inode, generation.orElse(inode));
    }
    assertEquals(10, found, "two thirds of 16 places");
  }

  @Test
  void leavesOutWhatHasNoGenerationOrBirthTime() {
    KnownGenerations known = new KnownGenerations(10);
    known.add(new FileIdentity(FILE_SYSTEM, 1, OptionalLong.empty(), OptionalLong.of(0)));
    known.add(new FileIdentity(FILE_SYSTEM, 2, OptionalLong.of(3), OptionalLong.empty()));
    known.add(file(3, 1L << 32, 0));
    for (int inode = 1; inode <= 3; inode++) {
      assertEquals(OptionalLong.empty(), known.find(inode, 0));
    }
  }

  @Test
  void hasNothingOnceItHasForgottenAll() {
    KnownGenerations known = new KnownGenerations(100);
    known.add(file(1, 2, 3));
    known.forget();
    assertEquals(OptionalLong.empty(), known.find(1, 3));
    known.add(file(1, 2, 3));
    assertEquals(OptionalLong.of(2), known.find(1, 3));
  }
}
