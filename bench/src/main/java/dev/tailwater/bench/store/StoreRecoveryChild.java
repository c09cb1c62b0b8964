package dev.tailwater.bench.store;

import dev.tailwater.lab.store.StoreRecords;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.LongStream;

/**
 * The process that {@link StoreRecoveryBenchmark} kills, and the one that opens what is left: a JVM
 * of its own each time, which has compiled nothing yet and can be given a small heap.
 */
public final class StoreRecoveryChild {
  private static final long READS = 20_000;

  private StoreRecoveryChild() {}

  /** {@code load|open DIRECTORY KEYS VALUE-BYTES}; figures go to standard output. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[1]);
    long keys = Long.parseLong(arguments[2]);
    StoreRecords records = new StoreRecords(Integer.parseInt(arguments[3]));
    if (arguments[0].equals("load")) {
      load(directory, keys, records);
    } else {
      open(directory, keys, records);
    }
  }

  private static KeyValueStore store(Path directory) throws IOException {
    return DataFileStore.open(
        LinuxFileCalls.create(), PosixPath.of(directory), DataFileOptions.defaults());
  }

  /** Closes when told to by a line; who wants it killed does not tell it. */
  private static void load(Path directory, long keys, StoreRecords records) throws IOException {
    try (KeyValueStore store = store(directory)) {
      Iterator<BulkPut> puts =
          LongStream.range(0, keys)
              .mapToObj(number -> BulkPut.of(records.key(number), records.value(number, 0)))
              .iterator();
      store.putAll(() -> puts, WriteOptions.defaults().withDurability(Durability.NONE));
      // Everything above is durable, too.
      store.put(records.key(0), records.value(0, 0), WriteOptions.defaults());
      System.out.println(memory());
      System.in.read();
    }
  }

  private static void open(Path directory, long keys, StoreRecords records) throws IOException {
    long begin = System.nanoTime();
    long beginProcessor = processorNanos();
    try (KeyValueStore store = store(directory)) {
      long nanos = System.nanoTime() - begin;
      long processorNanos = processorNanos() - beginProcessor;
      String memory = memory();
      if (store.statistics().keys() != keys) {
        throw new IOException(store.statistics().keys() + " of " + keys + " keys are there");
      }
      for (long i = 0; i < READS; i++) {
        long number = Math.floorMod(StoreRecords.mix(i), keys);
        byte[] value = store.get(records.key(number)).orElseThrow();
        if (!records.isRight(number, value)) {
          throw new IOException("key " + number + " has another value");
        }
      }
      System.out.println(nanos / 1000 + " " + memory + " " + processorNanos / 1000);
    }
  }

  /** Of all threads, the compiler's too. */
  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** Peak of resident memory and of the heap that was in use after a collection, in KiB. */
  private static String memory() throws IOException {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024;
    String peak =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .map(line -> line.replaceAll("[^0-9]", ""))
            .findFirst()
            .orElseThrow();
    return peak + " " + heap;
  }
}
