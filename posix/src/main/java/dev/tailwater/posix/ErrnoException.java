package dev.tailwater.posix;

import java.io.IOException;

/** A Linux call failed. The message reads {@code open /var/log/x: EACCES (Permission denied)}. */
public final class ErrnoException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String operation;
  private final String subject;
  private final int errnoNumber;

  /**
   * @param operation the call, such as {@code open}
   * @param subject the path, or {@code fd 7}
   * @param errnoNumber errno as the kernel gave it
   * @param text what strerror says of it
   */
  public ErrnoException(String operation, String subject, int errnoNumber, String text) {
    super(operation + " " + subject + ": " + name(errnoNumber) + " (" + text + ")");
    this.operation = operation;
    this.subject = subject;
    this.errnoNumber = errnoNumber;
  }

  private static String name(int errnoNumber) {
    Errno errno = Errno.of(errnoNumber);
    return errno == Errno.OTHER ? "errno " + errnoNumber : errno.name();
  }

  public String operation() {
    return operation;
  }

  public String subject() {
    return subject;
  }

  public int errnoNumber() {
    return errnoNumber;
  }

  public Errno errno() {
    return Errno.of(errnoNumber);
  }
}
