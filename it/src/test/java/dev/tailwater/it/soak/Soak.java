package dev.tailwater.it.soak;

import dev.tailwater.posix.testkit.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs everything random that there is, in turns and with new seeds, until the time is over or
 * somebody interrupts it; then prints a table. A round that fails leaves what it wrote and its log
 * in a directory, and the next one begins. Started by {@code ./soak}.
 */
public final class Soak {
  private static final Pattern DURATION = Pattern.compile("(\\d+)([smh])");

  /** A round that takes longer hangs: its process is asked for its threads, and killed. */
  private static final Duration LONGEST_ROUND = Duration.ofMinutes(20);

  private static final String USAGE =
      """
      usage: ./soak [DURATION] [KIND...]   such as ./soak 2h, or ./soak 10m store-crash-log
             ./soak --seed SEED KIND       one round, to repeat a failure
             ./soak --list                 the kinds""";

  private final Path directory;

  /** Where rounds write. A short path, since the path of a socket must be. */
  private final Path scratch;

  private final Tally tally = new Tally();
  private final ConcurrentLinkedQueue<Process> processes = new ConcurrentLinkedQueue<>();
  private final PrintStream out;
  private volatile boolean ending;

  private Soak(Path directory, Path scratch, PrintStream out) {
    this.directory = directory;
    this.scratch = scratch;
    this.out = out;
  }

  private record Order(Duration duration, String seed, List<String> kinds) {
    boolean isOnce() {
      return !seed.equals("-");
    }
  }

  /** First argument: where to work; the others are the user's. */
  public static void main(String[] arguments) throws Exception {
    Optional<Order> order = order(List.of(arguments).subList(1, arguments.length));
    if (order.isEmpty()) {
      System.err.println(USAGE);
      System.exit(2);
    }
    for (SoakKind kind : SoakKind.ALL) {
      kind.tests(); // A test that was renamed must not be missing silently.
    }
    Soak soak = new Soak(Path.of(arguments[0]), Files.createTempDirectory("soak"), System.out);
    System.exit(soak.run(order.orElseThrow()) ? 0 : 1);
  }

  private static Optional<Order> order(List<String> words) {
    List<String> all = SoakKind.ALL.stream().map(SoakKind::name).toList();
    if (words.equals(List.of("--list"))) {
      all.forEach(System.out::println);
      System.exit(0);
    }
    Duration duration = Duration.ofHours(1);
    String seed = "-";
    List<String> kinds = new ArrayList<>(words);
    if (words.size() > 1 && words.getFirst().equals("--seed")) {
      seed = words.get(1);
      kinds = kinds.subList(2, kinds.size());
    } else if (!words.isEmpty()) {
      Matcher matcher = DURATION.matcher(words.getFirst());
      if (matcher.matches()) {
        duration = Duration.parse("PT" + words.getFirst().toUpperCase(Locale.ROOT));
        kinds = kinds.subList(1, kinds.size());
      }
    }
    boolean known = all.containsAll(kinds) && (seed.equals("-") || seed.matches("\\d{1,18}"));
    return known && (seed.equals("-") || !kinds.isEmpty())
        ? Optional.of(new Order(duration, seed, kinds.isEmpty() ? all : List.copyOf(kinds)))
        : Optional.empty();
  }

  private boolean run(Order order) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    boolean once = order.isOnce();
    int workers = once ? 1 : Math.max(1, Runtime.getRuntime().availableProcessors());
    long endNanos = System.nanoTime() + order.duration.toNanos();
    out.println("soak: in " + directory + ", " + workers + " at once, from " + Instant.now());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform().daemon().name("worker-" + i).start(() -> keepUp(number, order)));
    }
    for (Thread thread : threads) {
      while (thread.isAlive() && (once || System.nanoTime() - endNanos < 0)) {
        thread.join(Duration.ofMillis(200));
      }
    }
    end();
    return tally.failures() == 0;
  }

  /** Prints the table, once, whoever ends it. */
  private void end() {
    synchronized (this) {
      if (ending) {
        return;
      }
      ending = true;
    }
    processes.forEach(Soak::kill);
    remove(scratch);
    String table = tally.table();
    out.print(table);
    if (tally.failures() > 0) {
      out.println("soak: what the failures left is in " + directory.resolve("failures"));
    }
    try {
      Files.writeString(directory.resolve("table.txt"), table);
    } catch (IOException e) {
      out.println("soak: " + e);
    }
  }

  private void remove(Path tree) {
    try {
      LeftMounts.unmountBelow(tree);
      Command.run(List.of("rm", "-rf", "--one-file-system", tree.toString())).requireSuccess();
    } catch (IOException e) {
      out.println("soak: " + e.getMessage());
    }
  }

  /** SIGTERM first, so that mounts go away. */
  private static void kill(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** Has a process at work; another when one dies, which a round should not make it do. */
  private void keepUp(int number, Order order) {
    try {
      boolean more = true;
      for (int life = 0; more && !ending; life++) {
        more = !live(number, life, order) && !order.isOnce();
      }
    } catch (IOException | InterruptedException e) {
      out.println("soak: " + e);
      tally.add("soak", SoakRound.Outcome.FAILED, 0);
    }
  }

  /** Whether it ended because there was nothing more to do. */
  private boolean live(int number, int life, Order order) throws IOException, InterruptedException {
    Path home = Files.createDirectories(scratch.resolve(number + "-" + life));
    Process process = start(home, number * order.kinds.size() / 2 + life, order);
    processes.add(process);
    Watchdog watchdog = new Watchdog(process);
    String round = "";
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        PrintStream rest =
            new PrintStream(
                Files.newOutputStream(home.resolve("worker.log")), true, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(SoakWorker.BEGIN)) {
          round = line.substring(SoakWorker.BEGIN.length());
          watchdog.begins();
        } else if (line.startsWith(SoakWorker.END)) {
          round = "";
          watchdog.ends();
          count(line.substring(SoakWorker.END.length()).split(" ", -1), order.isOnce());
        } else {
          rest.println(line);
        }
      }
    }
    watchdog.close();
    int code = process.waitFor();
    processes.remove(process);
    if (!round.isEmpty() && !ending) {
      LeftMounts.unmountBelow(home);
      Path kept =
          Files.createDirectories(directory.resolve("failures"))
              .resolve("died-" + number + "-" + life);
      Command.run(List.of("mv", home.toString(), kept.toString())).requireSuccess();
      out.println("soak: FAILED " + round + ": its process died with " + code + ", see " + kept);
      tally.add(round.split(" ", -1)[0], SoakRound.Outcome.FAILED, 0);
    }
    return code == 0;
  }

  private void count(String[] words, boolean once) {
    SoakRound.Outcome outcome = SoakRound.Outcome.valueOf(words[2]);
    if (ending) {
      return; // It was killed.
    }
    tally.add(words[0], outcome, Long.parseLong(words[3]));
    if (once) {
      out.println("soak: " + outcome + " " + words[0]);
    }
    if (outcome == SoakRound.Outcome.FAILED) {
      out.println("soak: FAILED, repeat with ./soak --seed " + words[1] + " " + words[0]);
    }
    if (tally.rounds() % 500 == 0) {
      out.println("soak: " + tally.rounds() + " rounds, " + tally.failures() + " failures");
    }
  }

  private Process start(Path home, int first, Order order) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:+UseSerialGC"));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("tailwater."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(home.resolve("tmp")));
    command.add("-Dtailwater.evidence=" + home.resolve("tmp"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SoakWorker.class.getName());
    command.addAll(List.of(home.toString(), directory.resolve("failures").toString()));
    command.addAll(List.of(order.seed, Integer.toString(first)));
    command.addAll(order.kinds);
    return new ProcessBuilder(command)
        .directory(Path.of(System.getProperty("tailwater.root"), "it").toFile())
        .redirectErrorStream(true)
        .start();
  }

  /** Kills a process whose round does not end, and lets it say before where its threads are. */
  private static final class Watchdog implements AutoCloseable {
    private final Thread thread;
    private volatile long sinceNanos = System.nanoTime();
    private volatile boolean inRound;

    Watchdog(Process process) {
      this.thread = Thread.ofPlatform().daemon().start(() -> watch(process));
    }

    void begins() {
      sinceNanos = System.nanoTime();
      inRound = true;
    }

    void ends() {
      inRound = false;
    }

    private void watch(Process process) {
      try {
        while (!inRound || System.nanoTime() - sinceNanos < LONGEST_ROUND.toNanos()) {
          Thread.sleep(1000);
        }
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        Thread.sleep(5000);
        kill(process);
      } catch (InterruptedException | IOException e) {
        process.destroyForcibly();
      }
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}
