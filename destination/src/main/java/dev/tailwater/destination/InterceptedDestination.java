package dev.tailwater.destination;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A destination that forwards every call, including those of its uploads, through one method,
 * {@link #around}. For concerns that all calls share: delays, faults, class loaders. As thread-safe
 * as the wrapped destination.
 */
public abstract class InterceptedDestination extends ForwardingDestination {
  /** The kind of a call. */
  public enum Operation {
    PUT_SEGMENT("putSegment"),
    BEGIN_SEGMENT("beginSegment"),
    /** A piece of an upload. */
    WRITE("write"),
    COMMIT("commit"),
    /** The close of an upload that was not committed. */
    DISCARD("discard"),
    /** The close of an upload that was committed. */
    CLOSE_UPLOAD("closeUpload"),
    READ("read"),
    LIST("list"),
    PUT_OBJECT("putObject"),
    DELETE("delete"),
    REMOVE_EMPTY_FOLDERS("removeEmptyFolders"),
    CLOSE("close");

    private final String method;

    Operation(String method) {
      this.method = method;
    }

    /** Returns the name of the method that was called, for messages. */
    public String method() {
      return method;
    }

    /** Returns whether the call adds bytes to the destination. */
    public boolean isWrite() {
      return switch (this) {
        case PUT_SEGMENT, BEGIN_SEGMENT, WRITE, COMMIT, PUT_OBJECT -> true;
        case DISCARD, CLOSE_UPLOAD, READ, LIST, DELETE, REMOVE_EMPTY_FOLDERS, CLOSE -> false;
      };
    }
  }

  /** A call of the wrapped destination. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws DestinationException;
  }

  private interface Action {
    void run() throws DestinationException;
  }

  /**
   * @param real the wrapped destination, which is closed with this one
   */
  protected InterceptedDestination(Destination real) {
    super(real);
  }

  /**
   * Makes the call, or replaces it by another result or a failure.
   *
   * @param key the key, prefix or folder that the call is about; empty for {@link Operation#CLOSE}
   */
  protected abstract <T> T around(Operation operation, String key, Call<T> call)
      throws DestinationException;

  private void run(Operation operation, String key, Action action) throws DestinationException {
    boolean _ =
        around(
            operation,
            key,
            () -> {
              action.run();
              return true;
            });
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return around(Operation.PUT_SEGMENT, key, () -> real().putSegment(key, content));
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return new Upload(key, around(Operation.BEGIN_SEGMENT, key, () -> real().beginSegment(key)));
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return around(Operation.READ, key, () -> real().read(key, offsetBytes, lengthBytes));
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return around(Operation.LIST, prefix, () -> real().list(prefix, afterKey, maxEntries));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    run(Operation.PUT_OBJECT, key, () -> real().putObject(key, content));
  }

  @Override
  public void delete(String key) throws DestinationException {
    run(Operation.DELETE, key, () -> real().delete(key));
  }

  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    run(Operation.REMOVE_EMPTY_FOLDERS, folder, () -> real().removeEmptyFolders(folder));
  }

  @Override
  public void close() throws DestinationException {
    run(Operation.CLOSE, "", () -> real().close());
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
      run(Operation.WRITE, key, () -> upload.write(content));
    }

    @Override
    public PutResult commit() throws DestinationException {
      PutResult result = around(Operation.COMMIT, key, upload::commit);
      committed = true;
      return result;
    }

    @Override
    public void close() throws DestinationException {
      run(committed ? Operation.CLOSE_UPLOAD : Operation.DISCARD, key, upload::close);
    }
  }
}
