package dev.tailwater.lab.identity;

import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Identifies all files once, or several times. What was opened is closed when no clock runs. */
final class IdentityTrial {
  private final IdentityFiles files;
  private long sum;

  IdentityTrial(IdentityFiles files) {
    this.files = files;
  }

  /** Microseconds for each file, with everything cached: the median of the passes. */
  double[] warm(IdentityWay way, int passes) throws IOException {
    List<Double> micros = new ArrayList<>();
    for (int pass = 0; pass < passes; pass++) {
      micros.add(pass(way));
    }
    return new double[] {new Series(micros).median()};
  }

  /** Microseconds for each file, with no name cached that nobody has open. */
  double[] cold(IdentityWay way) throws IOException {
    PageCaches.dropEntries();
    return new double[] {pass(way)};
  }

  private double pass(IdentityWay way) throws IOException {
    long startNanos = System.nanoTime();
    for (int file = 0; file < files.count(); file++) {
      sum += way.identify(files, file);
    }
    double micros = (System.nanoTime() - startNanos) / 1e3 / files.count();
    files.closeFresh();
    return micros;
  }

  /** Of all that was found out, so that none of it could have been left out. */
  long sum() {
    return sum;
  }
}
