package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tails by identity and by name. Written by the watch thread, read by everybody. */
public final class TailRegistry {
  private final Map<FileIdentity, Tail> byIdentity = new LinkedHashMap<>();
  private final Map<PosixPath, Tail> byName = new HashMap<>();

  synchronized void add(Tail tail) {
    byIdentity.put(tail.identity(), tail);
  }

  /** The name leads to this tail; returns the one to which it led before, if another. */
  synchronized Optional<Tail> bind(PosixPath name, Tail tail) {
    Tail before = byName.put(name, tail);
    return before == tail ? Optional.empty() : Optional.ofNullable(before);
  }

  synchronized Optional<Tail> unbind(PosixPath name) {
    return Optional.ofNullable(byName.remove(name));
  }

  synchronized void remove(Tail tail) {
    byIdentity.remove(tail.identity());
  }

  public synchronized Optional<Tail> find(FileIdentity identity) {
    return Optional.ofNullable(byIdentity.get(identity));
  }

  synchronized Optional<Tail> find(PosixPath name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All tails, those seen first first. */
  public synchronized List<Tail> all() {
    return new ArrayList<>(byIdentity.values());
  }
}
