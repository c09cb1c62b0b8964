package dev.tailwater.delivery.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PressureGaugeTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path directory;
  private long nowNanos = 5 * SECOND;
  private long ownNanos = 7;

  private PressureFile file(String name, long totalMicros) throws Exception {
    Path file = directory.resolve(name);
    Files.writeString(
        file,
        "some avg10=1.50 avg60=0.00 avg300=0.00 total="
            + totalMicros
            + "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
    return new PressureFile(file);
  }

  private PressureGauge gauge(Map<Resource, List<PressureFile>> files) {
    return new PressureGauge(files, () -> ownNanos, () -> nowNanos);
  }

  private static double share(PressureGauge gauge, Resource resource) {
    return gauge.shares().getOrDefault(resource, -1.0);
  }

  @Test
  void tellsThePartOfTheLastSecondAndNotOfAllTimes() throws Exception {
    PressureGauge gauge = gauge(Map.of(Resource.IO, List.of(file("io", 900_000_000))));
    nowNanos += SECOND;
    file("io", 900_250_000);
    assertEquals(Map.of(Resource.IO, 0.25), gauge.shares());
    nowNanos += 2 * SECOND;
    assertEquals(Map.of(Resource.IO, 0.0), gauge.shares());
  }

  @Test
  void looksOnceASecondHoweverOftenItIsAsked() throws Exception {
    PressureGauge gauge = gauge(Map.of(Resource.IO, List.of(file("io", 0))));
    nowNanos += SECOND;
    file("io", 500_000);
    assertEquals(Map.of(Resource.IO, 0.5), gauge.shares());
    nowNanos += SECOND - 1;
    file("io", 1_000_000);
    assertEquals(Map.of(Resource.IO, 0.5), gauge.shares());
    nowNanos += 1;
    assertEquals(Map.of(Resource.IO, 0.5), gauge.shares());
  }

  @Test
  void takesOffTheTimeInWhichWeWaitedForAProcessorOurselves() throws Exception {
    PressureGauge gauge =
        gauge(
            Map.of(
                Resource.CPU, List.of(file("cpu", 0)), Resource.MEMORY, List.of(file("mem", 0))));
    nowNanos += SECOND;
    ownNanos += 600_000_000;
    file("cpu", 700_000);
    file("mem", 700_000);
    assertEquals(0.1, share(gauge, Resource.CPU), 1e-9);
    assertEquals(0.7, share(gauge, Resource.MEMORY), 1e-9);
    nowNanos += SECOND;
    ownNanos += 900_000_000;
    file("cpu", 1_000_000);
    assertEquals(0.0, share(gauge, Resource.CPU), 1e-9);
  }

  @Test
  void ofSeveralFilesTheMostCounts() throws Exception {
    PressureGauge gauge =
        gauge(Map.of(Resource.MEMORY, List.of(file("all", 0), file("group", 50))));
    nowNanos += SECOND;
    file("all", 100_000);
    file("group", 400_050);
    assertEquals(0.4, share(gauge, Resource.MEMORY), 1e-9);
  }

  @Test
  void whatWasSummedUpOverALongTimeIsNoNews() throws Exception {
    PressureGauge gauge = gauge(Map.of(Resource.CPU, List.of(file("cpu", 0))));
    nowNanos += 100 * SECOND;
    file("cpu", 100_000_000);
    assertEquals(Map.of(), gauge.shares());
    nowNanos += SECOND;
    file("cpu", 100_300_000);
    assertEquals(Map.of(Resource.CPU, 0.3), gauge.shares());
  }

  @Test
  void isBlindWhereThereAreNoFilesAndGoesOnWithoutThoseThatVanish() throws Exception {
    PressureFile absent = new PressureFile(directory.resolve("none"));
    Files.writeString(directory.resolve("odd"), "what is this\n");
    PressureFile odd = new PressureFile(directory.resolve("odd"));
    assertTrue(gauge(Map.of(Resource.CPU, List.of(absent, odd))).isBlind());
    PressureGauge gauge =
        gauge(Map.of(Resource.CPU, List.of(file("cpu", 0)), Resource.IO, List.of(file("io", 0))));
    assertFalse(gauge.isBlind());
    nowNanos += SECOND;
    Files.delete(directory.resolve("cpu"));
    assertEquals(Map.of(Resource.IO, 0.0), gauge.shares());
  }

  @Test
  void readsTheKernelsOwnFiles() {
    assumeTrue(Files.isReadable(Path.of("/proc/pressure/cpu")), "needs a kernel with PSI");
    for (Resource resource : Resource.values()) {
      PressureFile file = new PressureFile(Path.of("/proc/pressure", resource.key()));
      OptionalLong micros = file.someMicros();
      assertTrue(micros.isPresent() && micros.getAsLong() >= 0, file.path().toString());
    }
  }
}
