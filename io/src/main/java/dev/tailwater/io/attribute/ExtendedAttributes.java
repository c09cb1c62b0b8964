package dev.tailwater.io.attribute;

import dev.tailwater.posix.AttributeCalls;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The extended attributes of one file, by name. A name is a text of one character for each byte.
 * Immutable.
 */
public final class ExtendedAttributes {
  /** None. */
  public static final ExtendedAttributes NONE = new ExtendedAttributes(new TreeMap<>());

  /** The ACL of a file or directory. */
  public static final String ACCESS_ACL = "system.posix_acl_access";

  /** The ACL of a directory that what is made in it inherits. */
  public static final String DEFAULT_ACL = "system.posix_acl_default";

  /** What a program may do beyond what its user may. */
  public static final String CAPABILITIES = "security.capability";

  private static final String USER = "user.";

  /** The most bytes that one file may have in all its attributes. */
  public static final int MAX_BYTES = 256 * 1024;

  private final NavigableMap<String, byte[]> values;

  private ExtendedAttributes(NavigableMap<String, byte[]> values) {
    this.values = values;
  }

  /**
   * Returns attributes with these values, which are copied.
   *
   * @throws IllegalArgumentException a name or value cannot be one, or they are too long together
   */
  public static ExtendedAttributes of(Map<String, byte[]> values) {
    NavigableMap<String, byte[]> copies = new TreeMap<>();
    values.forEach((name, value) -> copies.put(requireName(name), value.clone()));
    ExtendedAttributes attributes = new ExtendedAttributes(copies);
    boolean fits =
        attributes.lengthBytes() <= MAX_BYTES
            && copies.values().stream().allMatch(v -> v.length <= AttributeCalls.MAX_VALUE_BYTES);
    if (!fits) {
      throw new IllegalArgumentException("the attributes of a file are too long");
    }
    return copies.isEmpty() ? NONE : attributes;
  }

  private static String requireName(String name) {
    boolean plain = !name.isEmpty() && name.length() <= AttributeCalls.MAX_NAME_BYTES;
    if (!plain || name.chars().anyMatch(c -> c == 0 || c > 0xFF)) {
      throw new IllegalArgumentException("not the name of an attribute");
    }
    return name;
  }

  /**
   * Returns whether an attribute belongs to the file, and not to the machine that it is on: those
   * of users, POSIX ACLs, and capabilities.
   */
  public static boolean isKept(String name) {
    return name.startsWith(USER)
        || name.equals(ACCESS_ACL)
        || name.equals(DEFAULT_ACL)
        || name.equals(CAPABILITIES);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Returns the names, in ascending order. */
  public Set<String> names() {
    return values.navigableKeySet();
  }

  /** Returns a copy of the value of an attribute that is there. */
  public byte[] value(String name) {
    byte[] value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no attribute " + name);
    }
    return value.clone();
  }

  /** Returns whether an attribute has the same value in both, or is in neither. */
  public boolean hasSame(String name, ExtendedAttributes other) {
    return Arrays.equals(values.get(name), other.values.get(name));
  }

  /** Returns how many bytes names and values take. */
  public int lengthBytes() {
    return values.entrySet().stream()
        .mapToInt(entry -> entry.getKey().length() + entry.getValue().length)
        .reduce(0, Math::addExact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExtendedAttributes that
        && names().equals(that.names())
        && names().stream().allMatch(name -> hasSame(name, that));
  }

  @Override
  public int hashCode() {
    int hash = 0;
    for (Map.Entry<String, byte[]> entry : values.entrySet()) {
      hash = 31 * hash + (entry.getKey().hashCode() ^ Arrays.hashCode(entry.getValue()));
    }
    return hash;
  }

  @Override
  public String toString() {
    return names().toString();
  }
}
