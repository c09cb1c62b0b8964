package dev.tailwater.destination.cloud;

import dev.tailwater.destination.ObjectKeys;

/**
 * A check whether a prefix can match a legal key. Servers refuse some other prefixes, each server
 * in its own way.
 */
final class KeyPrefixes {
  private KeyPrefixes() {}

  /** Returns whether any legal key can start with the prefix. */
  static boolean mayBeginAKey(String prefix) {
    if (prefix.isEmpty() || isLegal(prefix)) {
      return true;
    }
    // An incomplete component, such as a dot, can become legal when more characters follow.
    return isLegal(prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix + "x");
  }

  private static boolean isLegal(String key) {
    return ObjectKeys.problem(key).isEmpty();
  }
}
