package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to hold while a destination is in trouble and afterwards, asked of a running agent. */
final class Outage {
  /** Of the JVM's memory: heap by the launcher, code, threads, classes of an SDK, buffers. */
  static final long MAX_RESIDENT_MIB = 256;

  private static final Pattern AT_RISK = Pattern.compile("\"atRiskBytes\" *: *(\\d+)");
  private static final Pattern SEGMENT = Pattern.compile("(.*/)(\\d+)-(\\d+)\\.zst(\\.age)?");
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");

  private final Site site;

  Outage(Site site) {
    this.site = site;
  }

  /** For what another test tries in small: {@code -Dtailwater.soak=true} runs it. */
  static void assumeLongRun() {
    assumeTrue(Boolean.getBoolean("tailwater.soak"), "runs with -Dtailwater.soak=true");
  }

  private String status() throws Exception {
    String status = site.asked().status().orElseThrow(() -> new AssertionError(site.messages()));
    return status.replaceAll("\"\\s*:\\s*", "\":");
  }

  private static long atRiskBytes(String status) {
    Matcher matcher = AT_RISK.matcher(status);
    assertTrue(matcher.find(), status);
    return Long.parseLong(matcher.group(1));
  }

  /** Until the agent says that bytes are at risk, whatever the destination does. */
  void awaitAtRisk(long atLeastBytes) throws Exception {
    Site.await(atLeastBytes + " bytes at risk", () -> atRiskBytes(status()) >= atLeastBytes);
  }

  /** The same of one of several destinations. */
  void awaitAtRisk(String destination, long atLeastBytes) throws Exception {
    Site.await(
        atLeastBytes + " bytes at risk for " + destination,
        () -> atRiskBytes(of(destination, status())) >= atLeastBytes);
  }

  void awaitNothingAtRisk(String destination) throws Exception {
    Site.await(
        "nothing at risk for " + destination, () -> atRiskBytes(of(destination, status())) == 0);
  }

  /** What stands behind the name in the list of destinations. */
  private static String of(String destination, String status) {
    return status.substring(status.indexOf("\"name\":\"" + destination + "\""));
  }

  /** Until the agent reports bytes at risk together with a problem that has these words. */
  void awaitReported(String words) throws Exception {
    String[] last = {""};
    try {
      Site.await(
          "a problem with " + words,
          () -> {
            last[0] = status();
            return last[0].contains(words) && atRiskBytes(last[0]) > 0;
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + " in " + last[0], e);
    }
  }

  /**
   * When the destination is well again: everything is delivered and no problem is left. A drain
   * tries again at once what would be tried later.
   */
  void awaitHealed(Path file) throws Exception {
    site.tailwater("drain", "--state", "state");
    site.awaitDelivered(file);
    Site.await("no problem is left", () -> status().matches("(?s).*\"problems\":\\[\\s*\\].*"));
  }

  /** The memory of the agent has never been more than it may be, however much waited. */
  static void requireBoundedMemory(Process agent) throws IOException {
    String status = Files.readString(Path.of("/proc/" + agent.pid() + "/status"));
    Matcher matcher = PEAK.matcher(status);
    assertTrue(matcher.find(), status);
    long peakMebibytes = Long.parseLong(matcher.group(1)) / 1024;
    assertTrue(peakMebibytes <= MAX_RESIDENT_MIB, "peak of resident memory " + peakMebibytes);
  }

  /** The segments of each stream follow each other: no byte is there twice. */
  static void requireNothingTwice(List<String> keys) {
    Map<String, TreeMap<Long, Long>> streams = new TreeMap<>();
    for (String key : keys) {
      Matcher segment = SEGMENT.matcher(key);
      if (segment.matches()) {
        streams
            .computeIfAbsent(segment.group(1), stream -> new TreeMap<>())
            .merge(
                Long.parseLong(segment.group(2)),
                Long.parseLong(segment.group(3)),
                (one, other) -> {
                  throw new AssertionError("two segments of the same start: " + key);
                });
      }
    }
    assertTrue(!streams.isEmpty(), "no segments in " + keys);
    streams.forEach(
        (stream, segments) -> {
          long end = 0;
          for (Map.Entry<Long, Long> segment : segments.entrySet()) {
            assertEquals(end, segment.getKey(), stream + " has " + segments);
            end = segment.getValue();
          }
        });
  }
}
