package dev.tailwater.io.read;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;

/** More bytes were asked for in one array than an array can hold. */
public final class FileTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What every JVM can give. */
  static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private FileTooLargeException(PosixPath path, long lengthBytes) {
    super(
        "%s: %d bytes do not fit in an array, which holds %d; use view(), asInputStream(), or read() part by part"
            .formatted(path, lengthBytes, MAX_ARRAY_BYTES));
  }

  /** That length as an int, or this exception. */
  static int arrayLength(PosixPath path, long lengthBytes) throws FileTooLargeException {
    if (lengthBytes > MAX_ARRAY_BYTES) {
      throw new FileTooLargeException(path, lengthBytes);
    }
    return (int) lengthBytes;
  }
}
