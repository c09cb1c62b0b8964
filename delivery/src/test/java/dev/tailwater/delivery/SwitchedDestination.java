package dev.tailwater.delivery;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A destination with a name that a test switches off and on. */
final class SwitchedDestination extends InterceptedDestination {
  /** How calls end. */
  enum Mode {
    UP,
    /** Calls fail, and may succeed later. */
    DOWN,
    /** Calls fail for good. */
    REFUSING,
    /** Calls do not return before the mode changes. */
    HANGING,
    /** What is there can be seen, but nothing put. */
    FULL,
    /** Only what is small can be put. */
    TAKES_NO_SEGMENTS
  }

  private final String name;
  private volatile Runnable onSegment = () -> {};
  private volatile Runnable onLeftBehind = () -> {};
  private Mode mode = Mode.UP;

  SwitchedDestination(String name, Destination real) {
    super(real);
    this.name = name;
  }

  static SwitchedDestination inMemory(String name) {
    return new SwitchedDestination(name, InMemoryDestination.create());
  }

  AgentDestination required() {
    return new AgentDestination(name, this, true, Bandwidth.UNLIMITED);
  }

  AgentDestination bestEffort() {
    return new AgentDestination(name, this, false, Bandwidth.UNLIMITED);
  }

  synchronized SwitchedDestination set(Mode newMode) {
    mode = newMode;
    notifyAll();
    return this;
  }

  /** Sets what happens before a segment is put. */
  void onSegment(Runnable action) {
    onSegment = action;
  }

  /** Runs an action before each record of what is left behind is put. */
  void onLeftBehind(Runnable action) {
    onLeftBehind = action;
  }

  /** Returns the objects with bytes of files, with their content as text that can be compared. */
  SortedMap<String, String> segments() {
    return ((InMemoryDestination) real())
        .snapshot().entrySet().stream()
            .filter(entry -> entry.getKey().matches(".*\\.(zst|gz)(\\.age)?"))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry -> HexFormat.of().formatHex(entry.getValue()),
                    (a, b) -> a,
                    TreeMap::new));
  }

  ArchiveContents contents() throws Exception {
    return ArchiveContents.load(real(), List.of());
  }

  /** Returns the record of what an agent that was stopped early left behind. */
  Optional<String> leftBehind() {
    return ((InMemoryDestination) real())
        .snapshot().entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("left-behind.json"))
            .map(entry -> new String(entry.getValue(), StandardCharsets.UTF_8))
            .findFirst();
  }

  private synchronized void pass(Operation operation, String key) throws DestinationException {
    String method = operation.method();
    boolean hung = mode == Mode.HANGING;
    while (mode == Mode.HANGING) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TransientDestinationException(uri(), method, key, "interrupted", "A test.");
      }
    }
    if (mode == Mode.REFUSING) {
      throw new PermanentDestinationException(uri(), method, key, "refused", "A test did this.");
    }
    boolean full =
        switch (mode) {
          case FULL -> operation.isWrite();
          case TAKES_NO_SEGMENTS -> operation.isWrite() && operation != Operation.PUT_OBJECT;
          case UP, DOWN, REFUSING, HANGING -> false;
        };
    if (hung || full || mode == Mode.DOWN) {
      throw new TransientDestinationException(uri(), method, key, "down", "A test did this.");
    }
  }

  @Override
  public URI uri() {
    return URI.create("memory:/" + name);
  }

  @Override
  protected <T> T around(Operation operation, String key, Call<T> call)
      throws DestinationException {
    switch (operation) {
      case DISCARD, CLOSE_UPLOAD, REMOVE_EMPTY_FOLDERS, CLOSE -> {
        return call.run();
      }
      default -> pass(operation, key);
    }
    if (operation == Operation.PUT_SEGMENT || operation == Operation.COMMIT) {
      onSegment.run();
    }
    if (operation == Operation.PUT_OBJECT && key.endsWith("~left-behind.json")) {
      onLeftBehind.run();
    }
    return call.run();
  }
}
