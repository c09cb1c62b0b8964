package dev.tailwater.cli.config;

import dev.tailwater.destination.PermanentDestinationException;
import java.util.List;
import java.util.Optional;

/** A check of the places that a configuration file names. */
public interface PlaceCheck {
  /**
   * Checks a destination.
   *
   * @param place a URI or an absolute path
   * @throws PermanentDestinationException nothing can be shipped there
   */
  void check(String place) throws PermanentDestinationException;

  /**
   * Whether two destinations are one place.
   *
   * @param one a URI or an absolute path
   * @param other likewise
   */
  default boolean isSame(String one, String other) {
    return one.equals(other);
  }

  /**
   * Checks a recipient, or a file of recipients.
   *
   * @param text an absolute path, or the key
   * @throws IllegalArgumentException it cannot be used; the message says why
   */
  default void checkRecipient(String text) {}

  /**
   * Checks the file of a content key.
   *
   * @param path absolute
   * @throws IllegalArgumentException it cannot be used; the message says why
   */
  default void checkContentKey(String path) {}

  /**
   * Checks the file of a key to sign with.
   *
   * @param path as it stands in the file
   * @throws IllegalArgumentException it holds no such key; the message says why
   */
  default void checkSigningKey(String path) {}

  /**
   * Checks a file of public keys.
   *
   * @param path as it stands in the file
   * @throws IllegalArgumentException it holds no such keys; the message says why
   */
  default void checkTrustedKeys(String path) {}

  /**
   * Checks a source.
   *
   * @param path absolute
   * @param destinations all that were found, URIs or absolute paths
   * @throws IllegalArgumentException it cannot be shipped; the message says why
   */
  default void checkSource(String path, List<String> destinations) {}

  /**
   * Checks where the state is.
   *
   * @param state as {@code state} names it; empty: the standard place
   * @param destination a URI or an absolute path
   * @throws IllegalArgumentException it is in the destination, or this in it; the message says so
   */
  default void checkState(Optional<String> state, String destination) {}
}
