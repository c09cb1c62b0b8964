package dev.tailwater.io.read;

/** The methods of reading bytes from a file. */
public enum ReadMethod {
  /**
   * A critical downcall straight into the caller's array, at most 256 KiB each: only the kernel
   * copies, and no garbage collection can run meanwhile. Used only for pages in the page cache of a
   * local file system, even if a caller asks for it.
   */
  CRITICAL,
  /**
   * An ordinary downcall into native memory: a pooled buffer whose bytes are then copied, or the
   * caller's own segment. May wait for a disk or a server, which delays only its own thread.
   */
  POOLED,
  /**
   * A mapping of the page cache itself. For ranges on local file systems that are accessed in many
   * places or more than once.
   */
  MAPPED
}
