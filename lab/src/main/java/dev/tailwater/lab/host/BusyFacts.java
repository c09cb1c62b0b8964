package dev.tailwater.lab.host;

import dev.tailwater.lab.result.HostFacts;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A check whether other programs use the machine now, by the load average and by pressure (PSI).
 */
record BusyFacts(SystemFiles files, int processors) {
  /**
   * The load per processor from which the machine counts as busy. The load average counts tasks
   * that run, or wait for a processor or a disk.
   */
  private static final double BUSY_LOAD_SHARE = 0.75;

  private static final double BUSY_PRESSURE_PERCENT = 10;
  private static final Pattern SOME = Pattern.compile("some avg10=([0-9.]+)");

  void addTo(FactList facts) {
    double load = load();
    double cpu = pressure("cpu");
    double io = pressure("io");
    boolean busy =
        load >= BUSY_LOAD_SHARE * processors
            || cpu >= BUSY_PRESSURE_PERCENT
            || io >= BUSY_PRESSURE_PERCENT;
    if (busy) {
      facts.add(
          HostFacts.BUSY,
          String.format(
              Locale.ROOT,
              "load average %.1f on %d processors; programs waited for a processor %.0f %% of the"
                  + " time, for a disk %.0f %%",
              load,
              processors,
              cpu,
              io));
    }
  }

  private double load() {
    return number(files.text("proc/loadavg").map(text -> text.split(" ", 2)[0]));
  }

  /** Returns the pressure of the last ten seconds; 0 if the kernel does not report it. */
  private double pressure(String what) {
    Optional<Matcher> some =
        files.text("proc/pressure/" + what).map(SOME::matcher).filter(Matcher::find);
    return number(some.map(found -> found.group(1)));
  }

  private static double number(Optional<String> text) {
    return text.filter(digits -> digits.matches("[0-9]+(\\.[0-9]+)?"))
        .map(Double::parseDouble)
        .orElse(0.0);
  }
}
