package dev.tailwater.destination.s3;

import dev.tailwater.destination.ObjectKeys;

/** Which prefixes a legal key can have; servers refuse some of the others, each in its own way. */
final class KeyPrefixes {
  private KeyPrefixes() {}

  /** Whether any legal key can start with the prefix. */
  static boolean mayBeginAKey(String prefix) {
    if (prefix.isEmpty() || isLegal(prefix)) {
      return true;
    }
    // What is only a part of a component, such as a dot, becomes legal with a letter behind it.
    return isLegal(prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix + "x");
  }

  private static boolean isLegal(String key) {
    return ObjectKeys.problem(key).isEmpty();
  }
}
