package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UnwritableOutputException;
import dev.tailwater.posix.Errno;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The standard output, which keeps why it could not be written. Each text is written at once, so
 * that it stays in order with what goes to the standard error.
 */
public final class StandardOutput extends PrintStream {
  private final UpToFailure bytes;

  private interface Attempt {
    void run() throws IOException;
  }

  private StandardOutput(UpToFailure bytes) {
    super(bytes, false, StandardCharsets.UTF_8);
    this.bytes = bytes;
  }

  /** Returns that of this process. */
  static StandardOutput ofProcess() {
    return over(new FileOutputStream(FileDescriptor.out));
  }

  /** Returns one that writes to this stream. */
  public static StandardOutput over(OutputStream out) {
    return new StandardOutput(new UpToFailure(out));
  }

  /** In one write; a print stream of a class of its own would take two. */
  @Override
  public void println(String line) {
    print(line + System.lineSeparator());
  }

  /** Returns the failure of this output, or of another stream of which less is known. */
  static Optional<UnwritableOutputException> failure(PrintStream out) {
    if (!out.checkError()) {
      return Optional.empty();
    }
    Optional<IOException> cause =
        out instanceof StandardOutput known ? known.bytes.failure : Optional.empty();
    return Optional.of(
        cause.map(StandardOutput::failure).orElseGet(UnwritableOutputException::new));
  }

  private static UnwritableOutputException failure(IOException cause) {
    return Errno.EPIPE.text().equals(cause.getMessage())
        ? UnwritableOutputException.readerIsGone(cause)
        : UnwritableOutputException.because(cause);
  }

  /** Writes nothing after a failure: what comes later would hide that something is missing. */
  private static final class UpToFailure extends FilterOutputStream {
    private Optional<IOException> failure = Optional.empty();

    UpToFailure(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int lengthBytes) throws IOException {
      attempt(() -> out.write(from, offset, lengthBytes));
    }

    @Override
    public void flush() throws IOException {
      attempt(out::flush);
    }

    private void attempt(Attempt attempt) throws IOException {
      if (failure.isPresent()) {
        throw failure.get();
      }
      try {
        attempt.run();
      } catch (IOException e) {
        failure = Optional.of(e);
        throw e;
      }
    }
  }
}
