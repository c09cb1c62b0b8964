package dev.tailwater.delivery.neighbour;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** An agent's politeness: the priorities and rests of all of its threads. Thread-safe. */
public final class Neighbour implements AutoCloseable {
  private final NeighbourSettings settings;
  private final SchedulingCalls calls;
  private final ThreadPriorities priorities;
  private final Yielding yielding;
  private final RunQueueDelay runQueueDelay;
  private final Optional<SessionGroup> session;
  private final Tempo tempo;

  @GuardedBy("notes")
  private final List<String> notes = new ArrayList<>();

  @GuardedBy("this")
  private boolean sessionRaised;

  /**
   * Looks at the machine, and lowers the nice level of the session. Threads lower themselves.
   *
   * @param tempo when nobody rests, and the session has its normal nice level
   */
  public Neighbour(
      NeighbourSettings settings,
      NeighbourEnvironment environment,
      LongSupplier nanoClock,
      Tempo tempo) {
    this.settings = settings;
    this.tempo = tempo;
    this.calls = environment.calls();
    this.priorities = new ThreadPriorities(environment.calls(), settings);
    this.runQueueDelay = new RunQueueDelay(environment.proc(), priorities::threadIds);
    ControlGroup group = ControlGroup.of(environment);
    this.yielding =
        new Yielding(
            settings.cpuLimit().isPresent()
                ? Optional.of(
                    new ProcessorBudget(
                        settings.cpuLimit().getAsDouble(), () -> cpuNanos(environment), nanoClock))
                : Optional.empty(),
            settings.pressure().map(_ -> gauge(environment, group, nanoClock)),
            settings.pressure(),
            nanoClock,
            tempo);
    this.session = session(environment, group);
    session.ifPresent(own -> setSessionNice(own, settings.nice()));
    tempo.onChange(Tempo.Mode.NO_RESTS, this::tempoChanged);
  }

  /**
   * Returns the processor time that a thread of this process has taken.
   *
   * @param threadId the kernel's number of the thread
   */
  public long threadCpuNanos(int threadId) throws ErrnoException {
    return calls.threadCpuNanos(threadId);
  }

  /** Returns the processor time that all threads of this process have taken. */
  public long processCpuNanos() throws ErrnoException {
    return calls.processCpuNanos();
  }

  /**
   * Returns work for a thread that is idle most of the time and must run soon after it wakes: it
   * gets no more processor time than others, but does not wait until their slices end.
   */
  public Runnable promptly(Runnable work) {
    return () -> {
      priorities.runPromptly();
      work.run();
    };
  }

  /** Returns the kernel's number of the calling thread. */
  public int currentThread() {
    return calls.currentThread();
  }

  private static long cpuNanos(NeighbourEnvironment environment) {
    try {
      return environment.calls().processCpuNanos();
    } catch (IOException e) {
      throw new UncheckedIOException("the processor time of this process is unknown", e);
    }
  }

  private PressureGauge gauge(
      NeighbourEnvironment environment, ControlGroup group, LongSupplier nanoClock) {
    Map<Resource, List<PressureFile>> files = new EnumMap<>(Resource.class);
    for (Resource resource : Resource.values()) {
      List<PressureFile> several = new ArrayList<>();
      several.add(new PressureFile(environment.proc().resolve("pressure").resolve(resource.key())));
      group
          .directory()
          .map(directory -> directory.resolve(resource.key() + ".pressure"))
          .map(PressureFile::new)
          .ifPresent(several::add);
      files.put(resource, several);
    }
    PressureGauge gauge = new PressureGauge(files, runQueueDelay::nanos, nanoClock);
    if (gauge.isBlind()) {
      blindness(environment).ifPresent(this::note);
    }
    return gauge;
  }

  /** Returns what to tell the user where the kernel does not measure pressure. */
  public static Optional<String> blindness(NeighbourEnvironment environment) {
    Path file = environment.proc().resolve("pressure").resolve(Resource.CPU.key());
    return new PressureFile(file).someMicros().isPresent()
        ? Optional.empty()
        : Optional.of(
            "pressure is off: "
                + file
                + " tells nothing; it needs Linux 4.20 with CONFIG_PSI, and psi=1 on the kernel's"
                + " command line where that is not the default");
  }

  private Optional<SessionGroup> session(NeighbourEnvironment environment, ControlGroup group) {
    if (settings.nice() == 0 && settings.policy() == SchedulingPolicy.NORMAL) {
      return Optional.empty();
    }
    if (group.sharesProcessor()) {
      note(
          priority()
              + " ranks the agent within its own control group only; against programs outside, the"
              + " group's weight counts (CPUWeight= of the unit, CPU requests of the container)");
      return Optional.empty();
    }
    return switch (SessionGroup.kind(environment.proc())) {
      case NONE -> Optional.empty();
      case OWN -> Optional.of(SessionGroup.ofOwn(environment.proc()));
      case SHARED -> {
        note(
            priority()
                + " ranks the agent within its own session only, since this kernel groups sessions"
                + " (kernel.sched_autogroup_enabled); start it as a service, or with setsid");
        yield Optional.empty();
      }
    };
  }

  private void setSessionNice(SessionGroup own, int nice) {
    try {
      own.setNice(nice);
    } catch (IOException e) {
      note("the nice level of the session stays: " + e.getMessage());
    }
  }

  private void note(String note) {
    synchronized (notes) {
      if (!notes.contains(note)) {
        notes.add(note);
      }
    }
  }

  public ThreadPriorities priorities() {
    return priorities;
  }

  public Yielding yielding() {
    return yielding;
  }

  /** Returns whether threads are lowered, and raised or replaced while politeness is suspended. */
  public boolean lowersThreads() {
    return settings.lowersThreads();
  }

  /** Returns for how long a thread was ready but did not run, in nanoseconds since it began. */
  public long waitedNanos(ThreadPriorities.Lowered thread) {
    return runQueueDelay.nanos(thread.threadId());
  }

  private synchronized void tempoChanged() {
    boolean raise = tempo.is(Tempo.Mode.NO_RESTS);
    if (session.isPresent() && raise != sessionRaised) {
      sessionRaised = raise;
      setSessionNice(session.get(), raise ? 0 : settings.nice());
    }
  }

  private String priority() {
    List<String> parts = new ArrayList<>();
    if (settings.nice() > 0) {
      parts.add("nice level " + settings.nice());
    }
    if (settings.policy() != SchedulingPolicy.NORMAL) {
      parts.add("scheduling " + settings.policy().name().toLowerCase(Locale.ROOT));
    }
    return parts.isEmpty() ? "normal" : String.join(", ", parts);
  }

  /** Returns what the agent does for its neighbours now. */
  public NeighbourReport report() {
    List<String> yieldingTo = new ArrayList<>();
    boolean suspended = tempo.is(Tempo.Mode.NO_RESTS);
    if (!suspended) {
      yielding.pressing().forEach(resource -> yieldingTo.add(resource.key()));
      if (yielding.isOverBudget()) {
        yieldingTo.add("cpu_limit");
      }
    }
    Map<String, Long> percent = new TreeMap<>();
    yielding.shares().forEach((r, share) -> percent.put(r.key(), Math.round(share * 100)));
    return new NeighbourReport(
        priority(),
        suspended,
        yieldingTo,
        percent,
        TimeUnit.NANOSECONDS.toMillis(yielding.restedNanos()),
        notes());
  }

  /** Returns which settings have no effect on this machine, and why. */
  public List<String> notes() {
    List<String> all = new ArrayList<>();
    synchronized (notes) {
      all.addAll(notes);
    }
    all.addAll(priorities.failures());
    return all;
  }

  /** Ends all rests. */
  @Override
  public void close() {
    yielding.close();
  }
}
