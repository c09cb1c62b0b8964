package dev.tailwater.destination.cloud;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.UnsuitableKeyException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The translation of an object store's errors into failures of a destination: whether to retry, and
 * what the user can do.
 *
 * <p>A failure is permanent if it lasts until somebody acts; the agent still retries slowly, so it
 * notices a corrected policy or new credentials. Every unknown error is transient.
 *
 * @param <E> what the requests of the store throw
 */
public abstract class CloudFailures<E extends RuntimeException> {
  /** The hint for what passes by itself. */
  private static final String BREAKS_THE_PROTOCOL =
      "The server breaks the protocol of its listings; look for a newer version of it.";

  private static final String STRANGER_HINT =
      "Something other than the store answers, such as a proxy or the login page of a network:"
          + " check the endpoint, and what is between.";

  private final URI uri;
  private final Class<E> type;

  /**
   * @param uri the destination, for messages
   */
  protected CloudFailures(URI uri, Class<E> type) {
    this.uri = uri;
    this.type = type;
  }

  /** Translates an error of a request. */
  protected abstract DestinationException of(String operation, String key, E e);

  /** Returns whether the store asks for fewer requests. */
  protected abstract boolean asksToSlowDown(E e);

  /** Returns the destination, for messages. */
  protected final URI uri() {
    return uri;
  }

  /** Translates an error of a request; throws every other exception as it is. */
  final DestinationException translated(String operation, String key, RuntimeException e) {
    if (e instanceof UncheckedIOException broken) {
      // So the AWS SDK tells of a connection that ends within the body of an answer.
      return noAnswer(operation, key, Objects.requireNonNull(broken.getCause()));
    }
    if (e instanceof CancellationException) {
      return cancelled(operation, key, e);
    }
    if (!type.isInstance(e)) {
      throw e;
    }
    return of(operation, key, type.cast(e));
  }

  /** So the HTTP client of the AWS SDK tells of an interrupt while it waits for a connection. */
  private DestinationException cancelled(String operation, String key, RuntimeException e) {
    return Thread.currentThread().isInterrupted()
        ? interrupted(operation, key, e)
        : new TransientDestinationException(
            uri, operation, key, "the request was cancelled", DestinationException.MAY_PASS, e);
  }

  final boolean slowsDown(RuntimeException e) {
    return type.isInstance(e) && asksToSlowDown(type.cast(e));
  }

  /** Returns the failure of a call whose thread was interrupted, and sets the flag again. */
  protected final DestinationException interrupted(String operation, String key, Throwable cause) {
    Thread.currentThread().interrupt();
    return new TransientDestinationException(
        uri, operation, key, "the thread was interrupted", DestinationException.MAY_PASS, cause);
  }

  /** Returns the failure of a request that got no answer. */
  protected final TransientDestinationException noAnswer(
      String operation, String key, Throwable cause) {
    return new TransientDestinationException(
        uri, operation, key, connectionReason(cause), connectionHint(cause), cause);
  }

  /**
   * Returns the failure of a request whose refusal has no mark of the store: a proxy's 404 says
   * nothing about an object.
   *
   * @param answer for people
   */
  protected final TransientDestinationException strangers(
      String operation, String key, String answer, Throwable cause) {
    return new TransientDestinationException(
        uri, operation, key, "the answer is not the store's: " + answer, STRANGER_HINT, cause);
  }

  /** Returns the failure for a key that, with the prefix of this destination, is too long. */
  final UnsuitableKeyException keyTooLong(String operation, String key, int lengthBytes) {
    return new UnsuitableKeyException(
        uri,
        operation,
        key,
        "with the prefix the key is "
            + lengthBytes
            + " bytes long, of at most "
            + ObjectKeys.MAX_KEY_BYTES,
        "Use a shorter prefix.");
  }

  /** Returns the failure for a page that is not the last and does not say where the next begins. */
  final PermanentDestinationException endlessList(String prefix) {
    return new PermanentDestinationException(
        uri,
        "list",
        prefix,
        "the server says that there is more, and not where",
        BREAKS_THE_PROTOCOL);
  }

  /** Returns the failure for a list that goes on, and has had too many empty pages in a row. */
  final PermanentDestinationException emptyList(String prefix, int pages) {
    return new PermanentDestinationException(
        uri,
        "list",
        prefix,
        "the server says that there is more, and sent " + pages + " empty pages in a row",
        BREAKS_THE_PROTOCOL);
  }

  /** Returns the failure for an object in a list without its key or its size. */
  final PermanentDestinationException incompleteList(String prefix, Optional<String> name) {
    return new PermanentDestinationException(
        uri,
        "list",
        prefix,
        "the server lists an object without its " + name.map(n -> "size: " + n).orElse("key"),
        BREAKS_THE_PROTOCOL);
  }

  /** Returns the failure for an answer with another range than the requested one. */
  final PermanentDestinationException otherRange(
      String key, Optional<String> asked, Optional<String> answered) {
    String whole = "the whole object";
    return new PermanentDestinationException(
        uri,
        "read",
        key,
        "asked for " + asked.orElse(whole) + ", the server answers with " + answered.orElse(whole),
        "The server, or a proxy in front of it, does not keep to Range, which reading an archive"
            + " needs; look for a newer version or a setting of it.");
  }

  /** Returns the reason of a failure without an answer; names an unknown host. */
  private static String connectionReason(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
        return "unknown host: " + message(cause).or(() -> message(e)).orElse("");
      }
    }
    return withCauses(e);
  }

  /** Returns whether the exception says that nothing came in time. */
  protected boolean isTimeout(Throwable e) {
    return e instanceof SocketTimeoutException || e instanceof HttpTimeoutException;
  }

  private String connectionHint(Throwable e) {
    if (e instanceof UnexpectedAnswerException) {
      return STRANGER_HINT;
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
        return "The name of the server is not found: check the endpoint, the region and the DNS.";
      }
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return "Nothing answers there: check the endpoint and the network.";
      }
      if (isTimeout(cause)) {
        return "The server or the network stalls.";
      }
      if (cause instanceof SSLException) {
        return "TLS failed: check the endpoint, this machine's clock and its certificates.";
      }
    }
    return "The network or the server failed.";
  }

  /** Returns the message, followed by those of its causes that add something. */
  static String withCauses(Throwable e) {
    StringBuilder text = new StringBuilder(message(e).orElse(inWords(e)));
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      String more = message(cause).orElse(inWords(cause));
      if (text.indexOf(more) < 0) {
        text.append(": ").append(more);
      }
    }
    return text.toString();
  }

  /** Some exceptions of the JDK have no message, such as {@code ClosedChannelException}. */
  private static String inWords(Throwable e) {
    return e.getClass()
        .getSimpleName()
        .replaceFirst("Exception$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  private static Optional<String> message(Throwable e) {
    @Nullable String message = e.getMessage();
    return Optional.ofNullable(message).filter(text -> !text.isBlank());
  }
}
