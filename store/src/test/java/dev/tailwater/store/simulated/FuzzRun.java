package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Opens stores whose files were damaged: they give what was once written, or say that they are
 * damaged, and where; with a number of reads and an amount of memory that the files' length bounds.
 * Reads are counted and their sizes added, since the simulated pread allocates as much as it is
 * asked for, whatever memory the store has.
 */
public final class FuzzRun {
  /** Opens a store. */
  @FunctionalInterface
  public interface Opening {
    KeyValueStore open(FileCalls calls) throws IOException;
  }

  private static final long FEW_READS = 400;
  private static final long BYTES_FOR_EACH_READ = 20;

  /** Buffers of the store, which it has whatever the files are like. */
  private static final long FEW_BYTES = 96L * 1024 * 1024;

  private final Opening opening;
  private final Map<String, List<String>> history = new TreeMap<>();
  private SimulatedFileSystem files = new SimulatedFileSystem();
  private String place = "";

  /** Runs with stores of this kind. */
  public FuzzRun(Opening opening) {
    this.opening = opening;
  }

  /** Damages all files; for so many seeds. */
  public void neverGivesAWrongValue(int seeds) throws IOException {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + seeds; seed++) {
      Random random = fill(seed);
      List<String> names = names("");
      StringBuilder damages = new StringBuilder("seed " + seed);
      for (int i = random.nextInt(3); i >= 0; i--) {
        damages.append(", ").append(FileFuzz.damage(files, names, random));
      }
      place = damages.toString();
      openAndRead();
      openAndRead(); // whatever the first opening has made of it
    }
  }

  /** Damages only files that can be made again from others; nothing at all may come of that. */
  public void doesNotMindDamageTo(String namePrefix, int seeds) throws IOException {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + seeds; seed++) {
      Random random = fill(seed);
      List<String> names = names(namePrefix);
      if (!names.isEmpty()) {
        place = "seed " + seed + ", " + FileFuzz.damage(files, names, random);
        try (KeyValueStore store = opening.open(files.calls())) {
          Map<String, String> newest = new TreeMap<>();
          history.forEach((key, values) -> newest.put(key, values.getLast()));
          assertEquals(newest, Texts.contents(store), place);
        } catch (IOException refused) {
          throw new AssertionError(place, refused);
        }
      }
    }
  }

  private List<String> names(String prefix) {
    return files.names().stream()
        .filter(name -> !name.equals("LOCK") && name.startsWith(prefix))
        .toList();
  }

  /** Several values for each key, some in batches; closed, or left by a killed process. */
  private Random fill(long seed) throws IOException {
    Random random = new Random(seed);
    files = new SimulatedFileSystem();
    history.clear();
    KeyValueStore store = opening.open(files.calls());
    for (int i = 0; i < 40; i++) {
      WriteBatch batch = new WriteBatch();
      for (int n = random.nextInt(3); n >= 0; n--) {
        String key = "key" + random.nextInt(8);
        String value = key + " value " + i + "." + n + "x".repeat(random.nextInt(300));
        batch.put(Texts.bytes(key), Texts.bytes(value));
        history.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
      }
      boolean last = i == 39;
      store.apply(
          batch,
          WriteOptions.defaults()
              .withDurability(last || i % 3 == 0 ? Durability.GROUP : Durability.NONE));
    }
    if (random.nextInt(3) == 0) {
      SimulatedFileSystem left = files.copy(); // at once: the store may still be compacting
      store.close();
      files = left;
    } else {
      store.close();
    }
    return random;
  }

  private void openAndRead() throws IOException {
    long sizeBytes = files.names().stream().mapToLong(name -> files.content(name).length).sum();
    long readsBefore = files.callsOf("pread");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
    try (KeyValueStore store = opening.open(files.calls())) {
      checkBounds(sizeBytes, readsBefore, allocatedBefore, threads);
      for (Map.Entry<String, List<String>> entry : history.entrySet()) {
        try {
          Optional<String> found = store.get(Texts.bytes(entry.getKey())).map(Texts::text);
          assertTrue(
              found.isEmpty() || entry.getValue().contains(found.get()), place + ": " + found);
        } catch (DamagedStoreException refused) {
          checkNamesItsPlace(refused);
        }
      }
    } catch (DamagedStoreException refused) {
      checkNamesItsPlace(refused);
      checkBounds(sizeBytes, readsBefore, allocatedBefore, threads);
    } catch (StoreException refused) {
      assertTrue(refused.toString().contains("/store"), place + ": " + refused);
    } catch (RuntimeException | Error wrong) {
      throw new AssertionError(place, wrong);
    } finally {
      files.killProcess();
    }
  }

  private void checkNamesItsPlace(DamagedStoreException refused) {
    assertTrue(refused.offsetBytes() >= 0, place + ": " + refused);
    assertTrue(refused.file().toString().startsWith("/store/"), place + ": " + refused);
  }

  private void checkBounds(
      long sizeBytes, long readsBefore, long allocatedBefore, ThreadMXBean threads) {
    long reads = files.callsOf("pread") - readsBefore;
    assertTrue(
        reads <= FEW_READS + sizeBytes / BYTES_FOR_EACH_READ,
        place + ": " + reads + " reads of " + sizeBytes + " bytes");
    long bytes = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
    assertTrue(bytes <= FEW_BYTES + 100 * sizeBytes, place + ": " + bytes + " bytes allocated");
  }
}
