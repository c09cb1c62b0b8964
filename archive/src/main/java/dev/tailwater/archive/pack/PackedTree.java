package dev.tailwater.archive.pack;

import java.util.List;

/**
 * What a pack says of directories, and of the extended attributes of files.
 *
 * @param directories in the order in which it holds
 * @param files their extended attributes, in the order in which it holds
 * @param whole whether, with this pack, its group has stated every directory
 */
public record PackedTree(
    List<DirectoryStatement> directories, List<AttributeStatement> files, boolean whole) {
  /** Nothing. */
  public static final PackedTree NONE = new PackedTree(List.of(), List.of(), false);

  /** The most names in one pack, those of the stated directories included. */
  public static final int MAX_NAMES = 1_000_000;

  /** The most extended attributes in one pack, of all directories and files together. */
  public static final int MAX_ATTRIBUTES = 1_000_000;

  public PackedTree {
    directories = List.copyOf(directories);
    files = List.copyOf(files);
  }

  /** Whether it says nothing. */
  public boolean isEmpty() {
    return !whole && directories.isEmpty() && files.isEmpty();
  }
}
