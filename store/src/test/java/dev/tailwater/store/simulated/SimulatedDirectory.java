package dev.tailwater.store.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The names of one directory: changed in memory, durable when the directory is synced. */
final class SimulatedDirectory {
  private TreeMap<String, SimulatedFile> names = new TreeMap<>();
  private TreeMap<String, SimulatedFile> namesOnDisk = new TreeMap<>();
  private final List<Consumer<Map<String, SimulatedFile>>> unsynced = new ArrayList<>();

  Map<String, SimulatedFile> names() {
    return names;
  }

  void link(String name, SimulatedFile file) {
    change(map -> map.put(name, file));
  }

  void unlink(String name) {
    change(map -> map.remove(name));
  }

  void rename(String from, String to) {
    SimulatedFile file = names.get(from);
    change(
        map -> {
          map.remove(from);
          map.put(to, file);
        });
  }

  private void change(Consumer<Map<String, SimulatedFile>> change) {
    change.accept(names);
    unsynced.add(change);
  }

  void sync() {
    namesOnDisk = new TreeMap<>(names);
    unsynced.clear();
  }

  /** As with a journal: the first few changes survive. Or as without: each by itself. */
  void losePower(RandomGenerator random) {
    boolean journal = random.nextBoolean();
    int survivors = random.nextInt(unsynced.size() + 1);
    for (int i = 0; i < unsynced.size(); i++) {
      if (journal ? i < survivors : random.nextBoolean()) {
        unsynced.get(i).accept(namesOnDisk);
      }
    }
    unsynced.clear();
    names = new TreeMap<>(namesOnDisk);
    names.values().forEach(file -> file.losePower(random));
  }
}
