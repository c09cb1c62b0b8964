package dev.tailwater.store.log.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.simulated.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentMapTest {
  @Test
  void doesWhatATreeMapDoesAndLeavesOlderVersionsAlone() {
    for (long seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      PersistentMap map = PersistentMap.EMPTY;
      Map<String, String> model = new TreeMap<>();
      List<PersistentMap> versions = new ArrayList<>();
      List<Map<String, String>> models = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String key = "k" + random.nextInt(80);
        if (random.nextInt(3) == 0) {
          map = map.after(Operation.remove(Texts.bytes(key)));
          model.remove(key);
        } else {
          map = map.after(Operation.put(Texts.bytes(key), Texts.bytes("v" + i)));
          model.put(key, "v" + i);
        }
        versions.add(map);
        models.add(new TreeMap<>(model));
      }
      for (int i = 0; i < versions.size(); i++) {
        check(versions.get(i), models.get(i), "seed " + seed + ", version " + i);
      }
    }
  }

  @Test
  void ordersKeysByUnsignedBytesAndFindsPrefixes() {
    PersistentMap map = PersistentMap.EMPTY;
    List<String> keys = List.of("", "\u0000", "a", "a\u007f", "a\u0080", "a\u00ff", "b", "\u00ff");
    for (String key : List.of("b", "a\u0080", "", "\u00ff", "a", "a\u00ff", "\u0000", "a\u007f")) {
      map = map.after(Operation.put(Texts.bytes(key), Texts.bytes("")));
    }
    assertEquals(keys, keys(map, ""));
    assertEquals(List.of("a", "a\u007f", "a\u0080", "a\u00ff"), keys(map, "a"));
    assertEquals(List.of("a\u00ff"), keys(map, "a\u00ff"));
    assertEquals(List.of(), keys(map, "a\u00ff\u0000"));
  }

  @Test
  void staysFlatWhenKeysComeInOrderAndIsTheSameWhenMadeAtOnce() {
    PersistentMap map = PersistentMap.EMPTY;
    List<Operation> puts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      Operation put = Operation.put(Texts.bytes("%08d".formatted(i)), Texts.bytes("" + i));
      map = map.after(put);
      puts.add(put);
    }
    // 1.45 log2(20 000) is 20.7.
    assertTrue(map.depth() <= 21, "depth " + map.depth());
    PersistentMap atOnce = PersistentMap.ofSorted(puts);
    assertEquals(keys(map, ""), keys(atOnce, ""));
    assertEquals(map.size(), atOnce.size());
    assertEquals(map.liveBytes(), atOnce.liveBytes());
    assertTrue(atOnce.depth() <= 15, "depth " + atOnce.depth());
  }

  private static void check(PersistentMap map, Map<String, String> model, String place) {
    Map<String, String> found = new TreeMap<>();
    map.forEach(new byte[0], put -> found.put(Texts.text(put.key()), Texts.text(put.value())));
    assertEquals(model, found, place);
    assertEquals(model.size(), map.size(), place);
    long bytes = 0;
    for (Map.Entry<String, String> entry : model.entrySet()) {
      bytes += 9 + entry.getKey().length() + entry.getValue().length();
      assertEquals(
          entry.getValue(),
          Texts.text(map.find(Texts.bytes(entry.getKey())).orElseThrow().value()));
    }
    assertEquals(bytes, map.liveBytes(), place);
  }

  private static List<String> keys(PersistentMap map, String prefix) {
    List<String> keys = new ArrayList<>();
    map.forEach(Texts.bytes(prefix), put -> keys.add(Texts.text(put.key())));
    return keys;
  }
}
