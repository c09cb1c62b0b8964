package dev.tailwater.io.watch.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Renames that happened together, and the order in which each new name is free. */
final class RenameOrderTest {
  private static PosixPath path(int number) {
    return PosixPath.of("/n" + number);
  }

  @Test
  void everyPermutationOfNamesCanBeFollowedStepByStep() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 500; round++) {
      int count = 1 + random.nextInt(8);
      int names = count + random.nextInt(4);
      List<Integer> targets = new ArrayList<>();
      for (int i = 0; i < names; i++) {
        targets.add(i);
      }
      RenameOrder order = new RenameOrder();
      Map<PosixPath, Integer> fileByName = new HashMap<>();
      Map<PosixPath, Integer> expected = new HashMap<>();
      for (int file = 0; file < count; file++) {
        int target = targets.remove(/* index */ random.nextInt(targets.size()));
        fileByName.put(path(file), file);
        expected.put(path(target), file);
        if (target != file) {
          order.add(path(file), path(target));
        }
      }
      order.order();
      follow(order, fileByName, expected);
    }
  }

  private static void follow(
      RenameOrder order, Map<PosixPath, Integer> fileByName, Map<PosixPath, Integer> expected) {
    order.takenOut().forEach(path -> assertTrue(fileByName.remove(path) != null));
    for (RenameOrder.Rename rename : order.ordered()) {
      Integer file = fileByName.remove(rename.from());
      assertTrue(file != null, "nothing at " + rename.from());
      assertFalse(fileByName.containsKey(rename.to()), "taken: " + rename.to());
      fileByName.put(rename.to(), file);
    }
    order.putBack().forEach(path -> fileByName.put(path, expected.getOrDefault(path, -1)));
    assertEquals(expected, fileByName);
  }
}
