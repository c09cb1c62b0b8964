package dev.tailwater.restore.attribute;

/** Whether what is restored gets the owner that the archive tells. */
public enum OwnerChoice {
  /** It belongs to whoever restores it. */
  NONE,
  /** By the names of user and group; by the id where this machine does not know the name. */
  BY_NAME,
  /** By the ids alone. */
  BY_ID;

  /** Returns what was asked for; ids win. */
  public static OwnerChoice of(boolean byName, boolean byId) {
    if (byId) {
      return BY_ID;
    }
    return byName ? BY_NAME : NONE;
  }
}
