package dev.tailwater.io.read;

/** The ways by which bytes come out of a file. */
public enum ReadMethod {
  /**
   * A critical downcall straight into the caller's array, at most 256 KiB each: no copy but the
   * kernel's, and no garbage collection while it runs. Only for what is in the page cache of a
   * local file system, whatever was asked for.
   */
  CRITICAL,
  /**
   * An ordinary downcall into native memory: a pooled buffer whose bytes are then copied, or the
   * caller's own segment. May wait for a disk or a server, and holds up nobody but its thread.
   */
  POOLED,
  /**
   * A mapping: the bytes of the page cache themselves. For ranges that are looked at in many places
   * or more than once, on local file systems.
   */
  MAPPED
}
