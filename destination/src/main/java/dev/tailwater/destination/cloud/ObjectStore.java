package dev.tailwater.destination.cloud;

import dev.tailwater.destination.PutResult;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The requests of an object store from which {@link CloudDestination} makes a destination. Names
 * are those in the bucket or container, with the prefix of the destination.
 *
 * <p>Errors are exceptions of the type that the {@link CloudFailures} of the store translate.
 * Nothing is retried, except a request on a kept connection that the server had closed: delivery
 * and restore retry, and report it. Thread-safe.
 */
public interface ObjectStore extends AutoCloseable {
  /** Creates an object in one request, unless it exists. The content is not changed. */
  PutResult create(String name, ByteBuffer content) throws InterruptedException;

  /** Creates or replaces an object. The content is not changed. */
  void replace(String name, ByteBuffer content) throws InterruptedException;

  /**
   * Requests an object.
   *
   * @param range as in the header: {@code bytes=0-99}; empty for the whole object
   */
  StoredObject read(String name, Optional<String> range) throws InterruptedException;

  /**
   * Requests a page of the names that start with the prefix, in order.
   *
   * @param after lists only greater names
   * @param continuation of the page before; then {@code after} has no effect
   * @param maxEntries 1 to 1000
   */
  ListPage list(
      String prefix, Optional<String> after, Optional<String> continuation, int maxEntries)
      throws InterruptedException;

  /** Removes an object, if it exists. */
  void remove(String name) throws InterruptedException;

  /**
   * Begins an object that is sent in parts.
   *
   * @param key the name without the prefix, for messages and for finding what is left behind
   */
  PartSender begin(String key, String name) throws InterruptedException;

  /** Returns the length of all parts but the last. */
  int partBytes();

  /** Aborts requests that are under way. */
  @Override
  void close();
}
