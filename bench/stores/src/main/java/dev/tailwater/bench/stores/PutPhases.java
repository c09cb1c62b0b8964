package dev.tailwater.bench.stores;

import dev.tailwater.bench.stores.EngineKind.Opening;
import java.io.IOException;

/** Puts that are on disk when they return, and gets and puts in turns. */
final class PutPhases {
  private static final int[] PUT_THREADS = {1, 8, 32};
  private static final int MIX_THREADS = 2;

  private final Contest contest;
  private final Figures figures;
  private final int rounds;
  private final int sliceMillis;

  /**
   * @param sliceMillis how long each measurement takes
   */
  PutPhases(Contest contest, int rounds, int sliceMillis) {
    this.contest = contest;
    this.figures = contest.figures();
    this.rounds = rounds;
    this.sliceMillis = sliceMillis;
  }

  /** All stores are open meanwhile, so that those that are compared run close to one another. */
  void durable() throws IOException, InterruptedException {
    Contest.Step open = process -> process.ask("open", Opening.CLEAN);
    contest.eachWarm("put", process -> ifItPuts(process, open));
    RawAppends raw =
        new RawAppends(contest.work().resolve("appends"), figures.dataset().valueBytes());
    for (int round = 0; round < rounds; round++) {
      for (int threads : PUT_THREADS) {
        if (threads == 1) {
          figures.add("durablePuts1", "append-growing", raw.run(false, sliceMillis));
          figures.add("durablePuts1", "append-preallocated", raw.run(true, sliceMillis));
        }
        Contest.Step put =
            process -> {
              double[] answer = process.ask("put", threads, 1, sliceMillis);
              String label = process.kind().label();
              figures.add("durablePuts" + threads, label, answer[0]);
              figures.add("durablePuts" + threads + "ProcessorMicros", label, answer[1]);
            };
        contest.eachWarm("put", process -> ifItPuts(process, put));
      }
    }
    contest.eachWarm("put", process -> ifItPuts(process, closing -> closing.ask("close")));
  }

  private static void ifItPuts(EngineProcess process, Contest.Step step)
      throws IOException, InterruptedException {
    if (process.kind().putsDurably() && process.kind().writes()) {
      step.run(process);
    }
  }

  /** Half of the operations are gets, and half are puts that need not be durable. */
  void mixed() throws InterruptedException {
    for (int round = 0; round < rounds; round++) {
      contest.eachOpen(
          "mix",
          Opening.UNSYNCED,
          process -> {
            if (process.kind().writes()) {
              process.ask("cache");
              figures.add(
                  "mix" + MIX_THREADS,
                  process.kind().label(),
                  process.ask("mix", MIX_THREADS, 1, sliceMillis)[0]);
            }
          });
    }
  }
}
