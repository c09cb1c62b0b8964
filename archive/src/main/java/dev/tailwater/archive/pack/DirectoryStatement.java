package dev.tailwater.archive.pack;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * What there is to say of a directory beside the files in it. A later statement of the same path
 * replaces an earlier one; what it does not name is not in the directory any more.
 *
 * @param path absolute; may be the root directory
 * @param there what is there; empty if the directory is gone
 */
public record DirectoryStatement(PosixPath path, Optional<Contents> there)
    implements TreeStatement {
  private static final int MAX_NAME_BYTES = 255;

  /** The length of the longest path of a directory. */
  public static final int MAX_PATH_BYTES = 4096;

  /** The longest target of a symbolic link: PATH_MAX of Linux without its NUL. */
  public static final int MAX_TARGET_BYTES = 4095;

  /**
   * Mode, owner and time of a directory or link.
   *
   * @param permissions mode bits, 07777
   * @param owner empty if it is not told
   * @param modificationTimeNanos mtime, nanoseconds since 1970
   */
  public record Attributes(int permissions, Optional<FileOwner> owner, long modificationTimeNanos) {
    public Attributes {
      if ((permissions & ~07777) != 0) {
        throw new IllegalArgumentException(
            "not permission bits: 0" + Integer.toOctalString(permissions));
      }
    }
  }

  /**
   * A symbolic link.
   *
   * @param name its name in the directory
   * @param target where it leads, as it is: it may be absolute, go up, or lead nowhere
   */
  public record Link(PosixPath name, PosixPath target, Attributes attributes) {
    public Link {
      requireName(name);
      int length = target.lengthBytes();
      if (length == 0 || length > MAX_TARGET_BYTES) {
        throw new IllegalArgumentException("not the target of a link: " + length + " bytes");
      }
    }
  }

  /**
   * A further name of a file that is restored under another one.
   *
   * @param name its name in the directory
   * @param file the absolute path under which the file was archived when the name was told
   * @param id the id of the file's first stream, of the epoch 0: later ones are of the same file;
   *     empty if it is not told
   */
  public record FurtherName(PosixPath name, PosixPath file, Optional<StreamId> id) {
    public FurtherName {
      requireName(name);
      PackedStream.requireFile(file);
      if (id.isPresent() && id.get().epoch() != 0) {
        throw new IllegalArgumentException(
            "a further name belongs to a file, not to a later stream of it");
      }
    }
  }

  /**
   * What is in the directory beside files.
   *
   * @param directories the names of the directories in it that are archived
   * @param extended the extended attributes of the directory itself
   */
  public record Contents(
      Attributes attributes,
      List<PosixPath> directories,
      List<Link> links,
      List<FurtherName> furtherNames,
      ExtendedAttributes extended) {
    public Contents {
      directories = List.copyOf(directories);
      links = List.copyOf(links);
      furtherNames = List.copyOf(furtherNames);
      directories.forEach(DirectoryStatement::requireName);
    }

    /** Returns how many names it tells. */
    public int names() {
      return directories.size() + links.size() + furtherNames.size();
    }
  }

  public DirectoryStatement {
    byte[] bytes = path.toBytes();
    if (bytes.length == 0 || bytes.length > MAX_PATH_BYTES || bytes[0] != '/') {
      throw new IllegalArgumentException("not the absolute path of a directory: '" + path + "'");
    }
  }

  private static void requireName(PosixPath name) {
    byte[] bytes = name.toBytes();
    boolean plain = bytes.length > 0 && bytes.length <= MAX_NAME_BYTES;
    for (byte one : bytes) {
      plain &= one != '/' && one != 0;
    }
    if (!plain || name.toString().equals(".") || name.toString().equals("..")) {
      throw new IllegalArgumentException("not a name in a directory: '" + name + "'");
    }
  }
}
