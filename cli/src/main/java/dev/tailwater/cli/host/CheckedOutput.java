package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UnwritableOutputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;

/**
 * A print stream as an output stream that throws, so that printing stops when the reader of the
 * pipe is gone.
 */
public final class CheckedOutput extends OutputStream {
  private final PrintStream out;

  public CheckedOutput(PrintStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    check();
  }

  @Override
  public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
    out.write(bytes, from, lengthBytes);
    check();
  }

  @Override
  public void flush() throws UnwritableOutputException {
    check();
  }

  private void check() throws UnwritableOutputException {
    Optional<UnwritableOutputException> failure = StandardOutput.failure(out);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
