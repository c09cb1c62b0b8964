package dev.tailwater.posix;

import java.io.IOException;

/**
 * Signals that a Linux call failed. The message reads {@code open /var/log/x: EACCES (Permission
 * denied)}.
 */
public final class ErrnoException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String operation;
  private final String subject;
  private final int errnoNumber;
  private final String text;

  /**
   * @param operation the call, such as {@code open}
   * @param subject what the call was about: a path, or {@code fd 7}
   * @param errnoNumber the errno that the kernel returned
   * @param text the text of strerror(3)
   */
  public ErrnoException(String operation, String subject, int errnoNumber, String text) {
    super(message(operation, subject, errnoNumber, text));
    this.operation = operation;
    this.subject = subject;
    this.errnoNumber = errnoNumber;
    this.text = text;
  }

  /** Creates the exception for an errno, with the standard text of that errno. */
  public static ErrnoException of(String operation, String subject, Errno errno) {
    return new ErrnoException(operation, subject, errno.number(), errno.text());
  }

  private static String message(String operation, String subject, int errnoNumber, String text) {
    return operation + " " + subject + ": " + name(errnoNumber) + " (" + text + ")";
  }

  /**
   * Returns the message for somebody to whom a descriptor says nothing: if the call was about one,
   * with the path instead of it.
   *
   * @param path what the call was about
   */
  public String messageAbout(String path) {
    if (!subject.startsWith("fd ")) {
      return String.valueOf(getMessage());
    }
    int name = subject.indexOf('/'); // As in "fd 7/name", which is below a directory.
    String below = name < 0 ? "" : subject.substring(name);
    return message(operation, path.endsWith(below) ? path : path + below, errnoNumber, text);
  }

  private static String name(int errnoNumber) {
    Errno errno = Errno.of(errnoNumber);
    return errno == Errno.OTHER ? "errno " + errnoNumber : errno.name();
  }

  /** Returns a message without the numbers of descriptors, which only this process knows. */
  public static String messageForUser(Exception e) {
    return e instanceof ErrnoException call
        ? call.withoutDescriptors()
        : String.valueOf(e.getMessage());
  }

  private String withoutDescriptors() {
    String call = operation + " " + subject;
    String named = subject.replaceAll("(^| -> )fd -?\\d+(/(\\./)?)?", "$1");
    return (operation + " " + named).strip()
        + String.valueOf(getMessage()).substring(call.length());
  }

  /** Returns the call that failed, such as {@code open}. */
  public String operation() {
    return operation;
  }

  /** Returns the subject of the call: a path, {@code from -> to}, or {@code fd 7}. */
  public String subject() {
    return subject;
  }

  /** Returns the errno that the kernel returned. */
  public int errnoNumber() {
    return errnoNumber;
  }

  /** Returns {@link #errnoNumber()} as a constant; {@link Errno#OTHER} if it is not listed. */
  public Errno errno() {
    return Errno.of(errnoNumber);
  }
}
