package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.testkit.CrashError;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real destination with faults in it: each call is counted, logged, and then does what a {@link
 * DestinationFaultPlan} says. After a crash every call throws {@link CrashError} and has no effect;
 * the wrapped destination goes on, for the process that comes after.
 *
 * <p>Thread-safe if the wrapped one is.
 */
public final class FaultyDestination implements Destination {
  private final Destination real;
  private final DestinationFaultPlan plan;
  private final Object state = new Object();
  private final List<DestinationCall> log = new ArrayList<>();
  private Optional<DestinationCall> crash = Optional.empty();

  private FaultyDestination(Destination real, DestinationFaultPlan plan) {
    this.real = real;
    this.plan = plan;
  }

  public static FaultyDestination wrap(Destination real, DestinationFaultPlan plan) {
    return new FaultyDestination(real, plan);
  }

  /** The calls until now, with the one that crashed, without those after it. */
  public List<DestinationCall> log() {
    synchronized (state) {
      return List.copyOf(log);
    }
  }

  /** The number of {@link #log} entries. */
  public long callCount() {
    synchronized (state) {
      return log.size();
    }
  }

  public boolean crashed() {
    synchronized (state) {
      return crash.isPresent();
    }
  }

  @Override
  public URI uri() {
    return real.uri();
  }

  @Override
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return call("putSegment", key, () -> real.putSegment(key, content));
  }

  /**
   * Its pieces, commit and close are calls too: {@code write}, {@code commit} and, before a commit,
   * {@code discard}.
   */
  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return new Upload(key, call("beginSegment", key, () -> real.beginSegment(key)));
  }

  private final class Upload implements SegmentUpload {
    private final String key;
    private final SegmentUpload upload;
    private boolean committed;

    Upload(String key, SegmentUpload upload) {
      this.key = key;
      this.upload = upload;
    }

    @Override
    public void write(ByteBuffer content) throws DestinationException {
      call("write", key, () -> done(() -> upload.write(content)));
    }

    @Override
    public PutResult commit() throws DestinationException {
      PutResult result = call("commit", key, upload::commit);
      committed = true;
      return result;
    }

    @Override
    public void close() throws DestinationException {
      if (committed) {
        upload.close();
      } else {
        call("discard", key, () -> done(upload::close));
      }
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return call("read", key, () -> real.read(key, offsetBytes, lengthBytes));
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return call("list", prefix, () -> real.list(prefix, afterKey, maxEntries));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    call("putObject", key, () -> done(() -> real.putObject(key, content)));
  }

  @Override
  public void delete(String key) throws DestinationException {
    call("delete", key, () -> done(() -> real.delete(key)));
  }

  /** Goes to the wrapped one; has no faults. */
  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    real.removeEmptyFolders(folder);
  }

  /** Closes the wrapped one; has no faults. */
  @Override
  public void close() throws DestinationException {
    real.close();
  }

  private interface Action<T> {
    T run() throws DestinationException;
  }

  private interface Command {
    void run() throws DestinationException;
  }

  private static boolean done(Command command) throws DestinationException {
    command.run();
    return true;
  }

  private <T> T call(String method, String key, Action<T> action) throws DestinationException {
    DestinationCall call;
    synchronized (state) {
      if (crash.isPresent()) {
        throw crashError(crash.get());
      }
      call = new DestinationCall(log.size() + 1, method, key);
      log.add(call);
    }
    DestinationFault fault = plan.decide(call);
    return switch (fault) {
      case PROCEED -> action.run();
      case FAIL_TRANSIENT -> throw failTransient(call, "it was not done");
      case FAIL_PERMANENT ->
          throw new PermanentDestinationException(
              uri(), method, key, "planned permanent failure " + call.number(), "A test did this.");
      case LOSE_ANSWER -> {
        T unused = action.run();
        throw failTransient(call, "the answer " + unused + " was lost");
      }
      case CRASH_BEFORE -> throw die(call);
      case CRASH_AFTER -> {
        T unused = action.run();
        CrashError error = die(call);
        error.addSuppressed(new IllegalStateException("unseen answer: " + unused));
        throw error;
      }
    };
  }

  private TransientDestinationException failTransient(DestinationCall call, String what) {
    return new TransientDestinationException(
        uri(),
        call.method(),
        call.key(),
        "planned transient failure " + call.number() + ": " + what,
        "A test did this.");
  }

  private CrashError die(DestinationCall call) {
    synchronized (state) {
      if (crash.isEmpty()) {
        crash = Optional.of(call);
      }
    }
    return crashError(call);
  }

  private static CrashError crashError(DestinationCall call) {
    return new CrashError(call.method(), call.number());
  }
}
