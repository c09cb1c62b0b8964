package dev.tailwater.bench.stores;

import dev.tailwater.bench.file.Fio;
import dev.tailwater.bench.stores.EngineKind.Opening;
import dev.tailwater.lab.measure.PageCaches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gets of what is in the page cache, and of what is not. */
final class GetPhases {
  private static final int COLD_SECONDS = 3;
  private static final int[] COLD_THREADS = {2, 32};
  private static final int PAGE_BYTES = 4096;
  private static final String[] SECONDS = {"First", "Second", "Third"};

  private final Contest contest;
  private final Figures figures;
  private final int rounds;
  private final int sliceMillis;

  /**
   * @param sliceMillis how long each measurement of hot gets takes
   */
  GetPhases(Contest contest, int rounds, int sliceMillis) {
    this.contest = contest;
    this.figures = contest.figures();
    this.rounds = rounds;
    this.sliceMillis = sliceMillis;
  }

  void hot() throws InterruptedException {
    for (int round = 0; round < rounds; round++) {
      contest.eachOpen(
          "hot",
          Opening.CLEAN,
          process -> {
            process.ask("cache");
            process.ask("warmget");
            for (int threads : new int[] {1, 2}) {
              double[] answer = process.ask("get", threads, 1, sliceMillis);
              figures.add("hotGets" + threads, process.kind().label(), answer[0]);
              figures.add(
                  "hotGets" + threads + "ProcessorMicros", process.kind().label(), answer[1]);
            }
            memory(process);
          });
    }
  }

  private void memory(EngineProcess process) throws IOException {
    MemoryUse memory = MemoryUse.of(process.ask("memory"));
    String label = process.kind().label();
    figures.add("heapMebibytes", label, memory.heapUsed());
    figures.add("residentMebibytes", label, memory.resident());
    figures.add("residentAnonymousMebibytes", label, memory.residentAnonymous());
    figures.add("residentFileMebibytes", label, memory.residentFile());
    figures.add("nativeMebibytes", label, memory.nativeMemory());
  }

  /**
   * The engines, and fio over a file of the data set's size, with as many threads. It reads as many
   * pages at a time as a record lies in at least: one, or two when the value alone fills one.
   */
  void cold() throws IOException, InterruptedException {
    Path file = contest.work().resolve("fio");
    int blockBytes = (figures.dataset().valueBytes() / PAGE_BYTES + 1) * PAGE_BYTES;
    long sizeBytes = Math.max(1L << 20, figures.dataset().bytes() / blockBytes * blockBytes);
    Fio fio = new Fio(file, sizeBytes);
    fio.layOut();
    try {
      for (int round = 0; round < rounds; round++) {
        for (int threads : COLD_THREADS) {
          fio(fio, threads, blockBytes);
          contest.eachWarm("cold", process -> cold(process, threads));
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  private void fio(Fio fio, int threads, int blockBytes) throws IOException, InterruptedException {
    for (boolean direct : new boolean[] {true, false}) {
      PageCaches.drop(contest.work());
      figures.add(
          "coldGets" + threads + SECONDS[0],
          direct ? "fio-direct" : "fio-buffered",
          fio.readByThreads(blockBytes, threads, direct, 1).readsPerSecond());
    }
  }

  private void cold(EngineProcess process, int threads) throws IOException, InterruptedException {
    String label = process.kind().label();
    PageCaches.drop(contest.work());
    figures.add("openColdSeconds", label, process.ask("open", Opening.CLEAN)[0]);
    PageCaches.drop(contest.work());
    double[] rates = process.ask("coldget", threads, COLD_SECONDS, 1_000);
    for (int second = 0; second < COLD_SECONDS; second++) {
      figures.add("coldGets" + threads + SECONDS[second], label, rates[second]);
    }
    figures.add("coldGets" + threads + "ProcessorMicros", label, rates[COLD_SECONDS]);
    process.ask("close");
  }
}
