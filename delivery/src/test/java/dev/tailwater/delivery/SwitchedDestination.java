package dev.tailwater.delivery;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A destination with a name that a test switches off and on. */
final class SwitchedDestination implements Destination {
  /** What becomes of calls. */
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
  private final Destination real;
  private volatile Runnable onSegment = () -> {};
  private Mode mode = Mode.UP;

  SwitchedDestination(String name, Destination real) {
    this.name = name;
    this.real = real;
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

  /** What happens before a segment is put. */
  void onSegment(Runnable action) {
    onSegment = action;
  }

  /** The objects that hold bytes of files, with their content as text that can be compared. */
  SortedMap<String, String> segments() {
    return ((InMemoryDestination) real)
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
    return ArchiveContents.load(real, List.of());
  }

  /** What an agent that was stopped early has written down here. */
  Optional<String> leftBehind() {
    return ((InMemoryDestination) real)
        .snapshot().entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("left-behind.json"))
            .map(entry -> new String(entry.getValue(), StandardCharsets.UTF_8))
            .findFirst();
  }

  private synchronized void pass(String method, String key, boolean isPut)
      throws DestinationException {
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
          case FULL -> isPut;
          case TAKES_NO_SEGMENTS -> method.endsWith("Segment");
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
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    pass("putSegment", key, true);
    onSegment.run();
    return real.putSegment(key, content);
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    pass("beginSegment", key, true);
    SegmentUpload upload = real.beginSegment(key);
    return new SegmentUpload() {
      @Override
      public void write(ByteBuffer content) throws DestinationException {
        pass("writeSegment", key, true);
        upload.write(content);
      }

      @Override
      public PutResult commit() throws DestinationException {
        pass("commitSegment", key, true);
        onSegment.run();
        return upload.commit();
      }

      @Override
      public void close() throws DestinationException {
        upload.close();
      }
    };
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    pass("read", key, false);
    return real.read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    pass("list", prefix, false);
    return real.list(prefix, afterKey, maxEntries);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    pass("put", key, true);
    real.putObject(key, content);
  }

  @Override
  public void delete(String key) throws DestinationException {
    pass("delete", key, false);
    real.delete(key);
  }

  @Override
  public void close() throws DestinationException {
    real.close();
  }
}
