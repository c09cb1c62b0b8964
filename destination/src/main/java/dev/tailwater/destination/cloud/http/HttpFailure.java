package dev.tailwater.destination.cloud.http;

import java.io.IOException;
import java.util.Optional;

/** Signals that a request was refused, or that it got no answer. */
public final class HttpFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Optional<ErrorAnswer> answer;

  /** Creates the failure of a request that was refused. */
  public HttpFailure(ErrorAnswer answer) {
    super(answer.text());
    this.answer = Optional.of(answer);
  }

  /** Creates the failure of a request that got no answer, or of one that was not sent. */
  public HttpFailure(IOException cause) {
    super(cause);
    this.answer = Optional.empty();
  }

  /** Returns what the server said; empty if it did not answer. */
  public Optional<ErrorAnswer> answer() {
    return answer;
  }

  /** Returns whether the server answered with this status. */
  public boolean hasStatus(int status) {
    return answer.isPresent() && answer.get().status() == status;
  }
}
