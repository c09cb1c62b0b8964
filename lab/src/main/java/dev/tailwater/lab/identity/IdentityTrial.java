package dev.tailwater.lab.identity;

import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A trial that identifies all files once, or several times. It closes the files outside of the
 * measured time.
 */
final class IdentityTrial {
  private final IdentityFiles files;
  private long sum;

  IdentityTrial(IdentityFiles files) {
    this.files = files;
  }

  /** Returns microseconds for each file with everything cached: the median of the passes. */
  double[] warm(IdentityWay way, int passes) throws IOException {
    List<Double> micros = new ArrayList<>();
    for (int pass = 0; pass < passes; pass++) {
      micros.add(pass(way));
    }
    return new double[] {new Series(micros).median()};
  }

  /** Returns microseconds for each file when only the names of open files are cached. */
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

  /** Returns a sum of all results, so that the compiler cannot leave out their computation. */
  long sum() {
    return sum;
  }
}
