package dev.tailwater.restore;

import java.util.OptionalLong;

/**
 * Something in the archive is not what it should be. It costs what it holds and nothing else.
 *
 * @param key the object
 * @param offsetBytes where in the object, as far as that is known
 * @param why for a person to read
 */
public record Damage(String key, OptionalLong offsetBytes, String why) {
  static Damage of(String key, String why) {
    return new Damage(key, OptionalLong.empty(), why);
  }
}
