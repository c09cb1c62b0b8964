package dev.tailwater.bench.stores;

import com.sun.management.OperatingSystemMXBean;
import dev.tailwater.bench.stores.EngineKind.Opening;
import dev.tailwater.lab.measure.ClosedLoop;
import dev.tailwater.lab.measure.ClosedLoop.Clients;
import dev.tailwater.lab.measure.PageCaches;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The process that has one engine: does what it is told on standard input, one command a line, and
 * answers each with one line of numbers on standard output.
 *
 * <p>Arguments: engine, number of records, bytes of a value, directory.
 */
final class EngineChild {
  private static final int CHECKS = 1_000;
  private static final int HOT_BATCH = 16;
  private static final int WARM_RECORDS = 20_000;
  private static final int WARM_THREADS = 4;
  private static final int WARM_MILLIS = 300;
  private static final int MAX_WARMS = 20;
  private static final long WARM_GETS = 100_000;
  private static final long WARM_MIXES = 30_000;

  private final EngineKind kind;
  private final Dataset dataset;
  private final Path directory;
  private final RecordClients clients;
  private Optional<Engine> open = Optional.empty();

  private EngineChild(EngineKind kind, Dataset dataset, Path directory) {
    this.kind = kind;
    this.dataset = dataset;
    this.directory = directory;
    this.clients = new RecordClients(dataset, dataset.count() + System.nanoTime());
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // what an engine prints is no answer
    Dataset dataset =
        new Dataset("records", Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
    EngineChild child =
        new EngineChild(EngineKind.of(arguments[0]), dataset, Path.of(arguments[3]));
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(child.perform(line.split(" ", -1)));
      answers.flush();
    }
  }

  private String perform(String[] words) throws Exception {
    return switch (words[0]) {
      case "warm" -> warm(Path.of(words[1]));
      case "load" -> load();
      case "open" -> open(Opening.valueOf(words[1]));
      case "close" -> close();
      case "settle" -> settle();
      case "check" -> check();
      case "cache" -> cache();
      case "get" -> rates(words, HOT_BATCH, thread -> clients.gets(engine().session(thread)));
      case "coldget" -> rates(words, 1, thread -> clients.gets(engine().session(thread)));
      case "mix" -> rates(words, 1, thread -> clients.mixes(engine().session(thread)));
      case "put" -> rates(words, 1, thread -> clients.durablePuts(engine().session(thread)));
      case "warmget" -> {
        warm(WARM_GETS, HOT_BATCH, thread -> clients.gets(engine().session(thread)));
        yield "0";
      }
      case "memory" -> MemoryUse.ofThisProcess().toWords();
      default -> throw new IllegalArgumentException("command " + words[0]);
    };
  }

  private Engine engine() {
    return open.orElseThrow(() -> new IllegalStateException("no store is open"));
  }

  /** Seconds; with a store of another directory, so that the code of the engine is compiled. */
  private String warm(Path scratch) throws Exception {
    long startNanos = System.nanoTime();
    Dataset small = dataset.withCount(Math.min(dataset.count(), WARM_RECORDS));
    RecordClients warming = new RecordClients(small, small.count());
    Files.createDirectories(scratch);
    Opening opening = kind == EngineKind.LMDB ? Opening.UNSYNCED : Opening.CLEAN;
    try (Engine engine = kind.open(scratch, small, opening)) {
      engine.load(small.records(), small.count());
      engine.settle();
      warm(WARM_GETS, HOT_BATCH, thread -> warming.gets(engine.session(thread)));
      warm(WARM_MIXES, 1, thread -> warming.mixes(engine.session(thread)));
    }
    if (kind.putsDurably()) {
      try (Engine engine = kind.open(scratch, small, Opening.CLEAN)) {
        warm(1, 1, thread -> warming.durablePuts(engine.session(thread)));
      }
    }
    return seconds(startNanos);
  }

  /** Until so many operations were done, on a busy machine too, but not for ever. */
  private static void warm(long operations, int batch, Clients clients) throws Exception {
    long bucketNanos = TimeUnit.MILLISECONDS.toNanos(WARM_MILLIS);
    double done = 0;
    for (int i = 0; i < MAX_WARMS && done < operations; i++) {
      double[] rates = ClosedLoop.run(WARM_THREADS, 1, bucketNanos, batch, clients);
      done += rates[0] * WARM_MILLIS / 1e3;
    }
  }

  /** Seconds, without the opening of the empty store. */
  private String load() throws Exception {
    open(Opening.CLEAN);
    long startNanos = System.nanoTime();
    engine().load(dataset.records(), dataset.count());
    return seconds(startNanos);
  }

  /** Seconds until a get has been answered rightly, if there was something to get. */
  private String open(Opening opening) throws Exception {
    boolean empty = !Files.exists(directory);
    Files.createDirectories(directory);
    long startNanos = System.nanoTime();
    Engine engine = kind.open(directory, dataset, opening);
    open = Optional.of(engine);
    if (!empty) {
      clients.check(engine.session(0), dataset.count() - 1);
    }
    return seconds(startNanos);
  }

  private String close() throws Exception {
    long startNanos = System.nanoTime();
    engine().close();
    open = Optional.empty();
    return seconds(startNanos);
  }

  private String settle() throws Exception {
    long startNanos = System.nanoTime();
    engine().settle();
    return seconds(startNanos);
  }

  /** How many records of all parts of the data set were found to be right. */
  private String check() throws Exception {
    long step = Math.max(1, dataset.count() / CHECKS);
    int checked = 0;
    for (long number = 0; number < dataset.count(); number += step) {
      clients.check(engine().session(0), number);
      checked++;
    }
    return Integer.toString(checked);
  }

  /** Brings all files into the page cache. Seconds. */
  private String cache() throws IOException {
    long startNanos = System.nanoTime();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        PageCaches.fill(file);
      }
    }
    return seconds(startNanos);
  }

  /**
   * Words: command, threads, number of parts, milliseconds of a part. Operations a second in each
   * part, and at last the processor time of an operation in microseconds, that of the whole
   * process.
   */
  private static String rates(String[] words, int batch, Clients clients) throws Exception {
    long bucketNanos = TimeUnit.MILLISECONDS.toNanos(Integer.parseInt(words[3]));
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long processorNanos = process.getProcessCpuTime();
    double[] rates =
        ClosedLoop.run(
            Integer.parseInt(words[1]), Integer.parseInt(words[2]), bucketNanos, batch, clients);
    processorNanos = process.getProcessCpuTime() - processorNanos;
    double operations = DoubleStream.of(rates).sum() * bucketNanos / 1e9;
    return DoubleStream.concat(
            DoubleStream.of(rates), DoubleStream.of(processorNanos / 1e3 / operations))
        .mapToObj(rate -> String.format(Locale.ROOT, "%.3f", rate))
        .collect(Collectors.joining(" "));
  }

  private static String seconds(long startNanos) {
    return String.format(Locale.ROOT, "%.6f", (System.nanoTime() - startNanos) / 1e9);
  }
}
