package dev.tailwater.bench.stores;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.stores.EngineKind.Opening;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The engines that are compared over one data set, the process of each, and what was measured. An
 * engine that fails is left out of everything that follows, and why is kept.
 */
final class Contest implements AutoCloseable {
  /** One step of one engine. */
  interface Step {
    void run(EngineProcess process) throws IOException, InterruptedException;
  }

  private final Path work;
  private final Figures figures;
  private final int heapMebibytes;
  private final List<EngineKind> kinds;
  private final Map<EngineKind, EngineProcess> processes = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int scratchNumber;

  /**
   * @param work where the stores lie
   * @param kinds what is compared
   * @param heapMebibytes longest Java heap of each process
   */
  Contest(Path work, Dataset dataset, List<EngineKind> kinds, int heapMebibytes) {
    this.work = work.resolve(dataset.name());
    this.figures = new Figures(dataset);
    this.kinds = new ArrayList<>(kinds);
    this.heapMebibytes = heapMebibytes;
  }

  Figures figures() {
    return figures;
  }

  /** Reasons, by engine and step. */
  Map<String, String> failures() {
    return failures;
  }

  /** Those that have not failed. */
  List<EngineKind> kinds() {
    return List.copyOf(kinds);
  }

  /** Where the store of this engine lies. */
  Path directory(EngineKind kind) {
    return work.resolve(kind.family());
  }

  /** Where fio's file may lie. */
  Path work() {
    return work;
  }

  /** A process of this engine that has done nothing yet, in place of one that there may be. */
  EngineProcess fresh(EngineKind kind) throws IOException {
    EngineProcess before = processes.remove(kind);
    if (before != null) {
      before.close();
    }
    EngineProcess process =
        EngineProcess.start(kind, figures.dataset(), directory(kind), heapMebibytes);
    processes.put(kind, process);
    return process;
  }

  /** Has the process run the engine's code over a small store that is deleted again. */
  void warm(EngineProcess process) throws IOException {
    Path scratch = work.resolve("warm-" + scratchNumber++);
    process.ask("warm", scratch);
    ProgramOptions.delete(scratch);
  }

  /** Has each engine make a step, one after the other, in a process that is warm. */
  void eachWarm(String name, Step step) throws InterruptedException {
    for (EngineKind kind : kinds()) {
      attempt(
          name,
          kind,
          () -> {
            EngineProcess process = processes.get(kind);
            if (process == null) {
              process = fresh(kind);
              warm(process);
            }
            step.run(process);
          });
    }
  }

  /** As {@link #eachWarm}, and the store is open while the step is made. */
  void eachOpen(String name, Opening opening, Step step) throws InterruptedException {
    eachWarm(
        name,
        process -> {
          process.ask("open", opening);
          step.run(process);
          process.ask("close");
        });
  }

  /** What may fail. */
  interface Attempt {
    void run() throws IOException, InterruptedException;
  }

  /** Does this; if it fails, the engine is left out from now on. */
  void attempt(String name, EngineKind kind, Attempt attempt) throws InterruptedException {
    try {
      attempt.run();
    } catch (IOException failed) {
      String reason = String.valueOf(failed.getMessage());
      System.err.println(kind.label() + " is left out: " + reason);
      failures.put(kind.label() + ", " + name, reason);
      kinds.remove(kind);
      EngineProcess process = processes.remove(kind);
      if (process != null) {
        process.kill();
      }
    }
  }

  /** Ends the processes. */
  @Override
  public void close() throws IOException {
    for (EngineProcess process : processes.values()) {
      process.close();
    }
    processes.clear();
  }
}
