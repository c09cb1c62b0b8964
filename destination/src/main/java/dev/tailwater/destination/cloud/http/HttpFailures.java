package dev.tailwater.destination.cloud.http;

import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.CloudFailures;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The translation of failed HTTP requests, which a store completes with its own codes and hints.
 */
public abstract class HttpFailures extends CloudFailures<HttpFailure> {
  /**
   * @param uri the destination, for messages
   */
  protected HttpFailures(URI uri) {
    super(uri, HttpFailure.class);
  }

  /**
   * Returns whether an error lasts until somebody acts, where its status alone would not say so.
   */
  protected boolean isPermanent(ErrorAnswer answer) {
    int status = answer.status();
    return status != 408
        && status != 429
        && ((status >= 300 && status < 500) || status == 501 || status == 507);
  }

  /** Returns whether a permanent error means that the service forbids what was asked. */
  protected boolean isRefusal(ErrorAnswer answer) {
    return answer.status() == 403;
  }

  /** Returns whether a permanent error means that the object must be fetched before it is read. */
  protected boolean isCold(ErrorAnswer answer) {
    return false;
  }

  /** Returns whether an error has no mark of the store, so that something between has sent it. */
  protected abstract boolean isStrangers(ErrorAnswer answer);

  /** Returns what the user can do. */
  protected abstract String hint(String operation, ErrorAnswer answer);

  @Override
  protected boolean asksToSlowDown(HttpFailure e) {
    return e.hasStatus(429) || e.hasStatus(503);
  }

  @Override
  protected final DestinationException of(String operation, String key, HttpFailure e) {
    if (e.answer().isEmpty()) {
      @Nullable Throwable cause = e.getCause();
      return cause instanceof MissingCredentialsException missing
          ? new PermanentDestinationException(
              uri(), operation, key, String.valueOf(missing.getMessage()), missing.hint(), missing)
          : noAnswer(operation, key, cause == null ? e : cause);
    }
    ErrorAnswer answer = e.answer().get();
    if (isStrangers(answer)) {
      return strangers(operation, key, answer.text(), e);
    }
    String hint = hint(operation, answer);
    if (!isPermanent(answer)) {
      return new TransientDestinationException(uri(), operation, key, answer.text(), hint, e);
    }
    if (isCold(answer)) {
      return new ColdObjectException(uri(), operation, key, answer.text(), hint, e);
    }
    return isRefusal(answer)
        ? new RefusedDestinationException(uri(), operation, key, answer.text(), hint, e)
        : new PermanentDestinationException(uri(), operation, key, answer.text(), hint, e);
  }
}
