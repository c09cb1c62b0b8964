package dev.tailwater.store.datafile.index;

import dev.tailwater.store.simulated.Soak;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether the index is linearizable, found out by Lincheck in stress mode: writers and readers of
 * three hashes that lie side by side, so that adding and removing one moves the others.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexLincheckTest {
  private static final int HASHES = 3;

  @Test
  void everyHistoryIsOneThatAMapOfListsCouldHave() {
    new StressOptions()
        .iterations(Soak.rounds(20, 400))
        .invocationsPerIteration(Soak.rounds(300, 3000))
        .threads(3)
        .actorsPerThread(4)
        .sequentialSpecification(MapOfLists.class)
        .check(SmallIndex.class);
  }

  private static long hash(int number) {
    return 0x1234_5678_9ABC_DEF0L + number;
  }

  private static long location(int number) {
    return Location.of(1, number, 1);
  }

  /** An index of few entries. */
  @Param(name = "hash", gen = IntGen.class, conf = "0:2")
  @Param(name = "number", gen = IntGen.class, conf = "1:2")
  public static class SmallIndex {
    private final Index index = new Index();

    @Operation
    public String find(@Param(name = "hash") int hash) {
      return text(index.find(hash(hash)));
    }

    @Operation
    public int findAll(@Param(name = "hash") int hash) {
      return index.findAll(hash(hash), new long[1]);
    }

    @Operation
    public boolean addIfAbsent(@Param(name = "hash") int hash, @Param(name = "number") int number) {
      return index.addIfAbsent(hash(hash), location(number));
    }

    @Operation
    public void add(@Param(name = "hash") int hash, @Param(name = "number") int number) {
      index.add(hash(hash), location(number));
    }

    @Operation
    public boolean replace(@Param(name = "hash") int hash, @Param(name = "number") int number) {
      return index.replace(hash(hash), location(number), location(3 - number));
    }

    @Operation
    public boolean remove(@Param(name = "hash") int hash, @Param(name = "number") int number) {
      return index.remove(hash(hash), location(number));
    }

    /** The memory of a run is not needed behind it. */
    @Validate
    public void close() {
      index.close();
    }
  }

  private static String text(long found) {
    return found == Location.NONE
        ? "none"
        : found == Index.SEVERAL ? "several" : "" + Location.offsetBytes(found);
  }

  /** What the index is to do. */
  public static class MapOfLists {
    private final Map<Integer, List<Integer>> map = new HashMap<>();

    private List<Integer> at(int hash) {
      return map.computeIfAbsent(hash % HASHES, any -> new ArrayList<>());
    }

    public String find(int hash) {
      return switch (at(hash).size()) {
        case 0 -> "none";
        case 1 -> "" + at(hash).getFirst();
        default -> "several";
      };
    }

    public int findAll(int hash) {
      return at(hash).size();
    }

    public boolean addIfAbsent(int hash, int number) {
      return at(hash).isEmpty() && at(hash).add(number);
    }

    public void add(int hash, int number) {
      at(hash).add(number);
    }

    public boolean replace(int hash, int number) {
      int place = at(hash).indexOf(number);
      if (place >= 0) {
        at(hash).set(place, 3 - number);
      }
      return place >= 0;
    }

    public boolean remove(int hash, int number) {
      return at(hash).remove(Integer.valueOf(number));
    }
  }
}
