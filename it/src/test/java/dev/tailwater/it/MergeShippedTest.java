package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program merges short segments. */
class MergeShippedTest {
  private static final Pattern SEGMENT = Pattern.compile("(\\d{19})-(\\d{19})\\.zst");

  @TempDir Path directory;

  private record Range(long start, long end) {
    boolean liesIn(Range other) {
      return !equals(other) && other.start <= start && end <= other.end;
    }
  }

  private static List<Range> ranges(Site site) throws Exception {
    List<Range> ranges = new ArrayList<>();
    for (Path path : site.segments()) {
      Matcher name = SEGMENT.matcher(path.getFileName().toString());
      if (name.matches()) {
        ranges.add(new Range(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))));
      }
    }
    return ranges;
  }

  private static Process agent(Site site) throws Exception {
    return site.agent("--max-age", "20ms", "--merge-to", "256KiB");
  }

  private static boolean hasMerged(Site site) throws Exception {
    return site.said().objects("destinations").stream()
        .anyMatch(destination -> destination.number("mergedSegments") > 0);
  }

  @Test
  void everyByteIsThereOnceThoughTheAgentIsKilledWhileItMerges() throws Exception {
    try (Site site = new Site(directory)) {
      try (LineWriter writer = new LineWriter(site.log("busy.log"))) {
        for (int i = 0; i < 3; i++) {
          Process agent = agent(site);
          writer.awaitMore(10_000);
          site.kill(agent);
        }
        Process last = agent(site);
        Site.await("something is merged", () -> hasMerged(site));
        String status = site.tailwater("status", "--state", "state").out();
        assertTrue(status.contains("short segments into"), status);
        writer.finish();
        site.stop(last, 0);
      }
      // An agent that ends leaves it to the next to remove what has been merged.
      Packaged.Run ship = site.shipOnce("--merge-to", "256KiB");
      assertEquals(0, ship.exitCode(), ship.err());
      site.restoreAndCompare();
      Packaged.Run verify = site.tailwater("verify", "archive");
      assertEquals(0, verify.exitCode(), verify.err());
      List<Range> ranges = ranges(site);
      assertTrue(ranges.stream().anyMatch(range -> range.end - range.start > 100_000));
      for (Range range : ranges) {
        assertFalse(ranges.stream().anyMatch(range::liesIn), () -> range + " is superseded");
      }
    }
  }
}
