package dev.tailwater.lab.host;

import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.HostFacts.Fact;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The processor time that other programs take during a run: what the kernel counts for the whole
 * machine, less that of this process and its children. For one thread.
 *
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">proc: /proc/stat,
 *     /proc/self/stat</a>
 */
public final class OtherPrograms {
  /**
   * The part of all processors' time from which the machine counts as busy. Below it is what the
   * kernel does for the lab in threads of its own, such as writing files back.
   */
  private static final double BUSY_SHARE = 0.15;

  /** Fields of the first line of /proc/stat, counted from the one after its name. */
  private static final int IDLE = 3;

  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  /** The fields of /proc/self/stat from utime to cstime, counted from the one after the name. */
  private static final int UTIME = 11;

  private static final int CSTIME = 14;

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private final SystemFiles files;
  private final Optional<Ticks> begin;

  /** Counts in ticks, since the machine or the process started. */
  private record Ticks(long all, long used, long stolen, long own) {}

  private OtherPrograms(SystemFiles files) {
    this.files = files;
    this.begin = ticks();
  }

  /** Begins to count. */
  public static OtherPrograms begin() {
    return in(new SystemFiles(Path.of("/")));
  }

  static OtherPrograms in(SystemFiles files) {
    return new OtherPrograms(files);
  }

  /** Returns the facts with what others did since {@link #begin}, if it distorts figures. */
  public HostFacts addTo(HostFacts facts) {
    Optional<String> during = busy();
    if (during.isEmpty()) {
      return facts;
    }
    String busy =
        Stream.concat(facts.busy().stream(), during.stream()).collect(Collectors.joining("; "));
    List<Fact> all = new ArrayList<>();
    all.add(new Fact(HostFacts.BUSY, busy));
    facts.facts().stream().filter(fact -> !fact.name().equals(HostFacts.BUSY)).forEach(all::add);
    return new HostFacts(all);
  }

  private Optional<String> busy() {
    Optional<Ticks> end = ticks();
    if (begin.isEmpty() || end.isEmpty()) {
      return Optional.empty();
    }
    double all = end.get().all() - begin.get().all();
    double stolen = end.get().stolen() - begin.get().stolen();
    double own = end.get().own() - begin.get().own();
    double others = Math.max(0, end.get().used() - begin.get().used() - own);
    return others + stolen < BUSY_SHARE * all || all <= 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "during the measurements other programs took %.0f %% of the processors' time, and"
                    + " other virtual machines %.0f %%",
                100 * others / all,
                100 * stolen / all));
  }

  private Optional<Ticks> ticks() {
    long[] machine = numbers(files.text("proc/stat"), "cpu", 0, STEAL);
    long[] own = numbers(files.text("proc/self/stat"), ")", UTIME, CSTIME);
    if (machine.length == 0 || own.length == 0) {
      return Optional.empty();
    }
    long all = LongStream.of(machine).sum();
    long stolen = machine[STEAL];
    long used = all - stolen - machine[IDLE] - machine[IOWAIT];
    return Optional.of(new Ticks(all, used, stolen, LongStream.of(own).sum()));
  }

  /**
   * Returns fields of the first line of a file.
   *
   * @param after what is before the fields; its last occurrence counts, since names contain
   *     anything
   * @return nothing if the file does not have these fields
   */
  private static long[] numbers(Optional<String> file, String after, int first, int last) {
    String line = file.flatMap(text -> text.lines().findFirst()).orElse("");
    String[] fields =
        line.substring(line.lastIndexOf(after) + after.length()).strip().split("\\s+");
    boolean present =
        line.contains(after)
            && fields.length > last
            && Stream.of(fields)
                .skip(first)
                .limit(last - first + 1L)
                .allMatch(DIGITS.asMatchPredicate());
    return present
        ? Stream.of(fields)
            .skip(first)
            .limit(last - first + 1L)
            .mapToLong(Long::parseLong)
            .toArray()
        : new long[0];
  }
}
