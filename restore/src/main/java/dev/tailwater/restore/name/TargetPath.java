package dev.tailwater.restore.name;

import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a file goes, below the target directory: directories from the outside to the inside, then
 * the file's name. Every part is one plain name: not empty, without a slash, neither {@code .} nor
 * {@code ..}, at most {@value #MAX_NAME_BYTES} bytes.
 */
public record TargetPath(List<PosixPath> directories, PosixPath name) {
  static final int MAX_NAME_BYTES = 255;

  /** PATH_MAX of Linux: the agent cannot have opened a longer one. */
  static final int MAX_PATH_BYTES = 4096;

  /** The path that an archive gives cannot be a path below the target directory. */
  public static final class UnsafePathException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnsafePathException(String message) {
      super(message);
    }
  }

  public TargetPath {
    directories = List.copyOf(directories);
  }

  /**
   * The names of an absolute or relative path. What the archive says is not believed: a path that
   * could lead anywhere else is refused, not repaired.
   */
  public static TargetPath of(PosixPath path) throws UnsafePathException {
    if (path.lengthBytes() > MAX_PATH_BYTES) {
      throw new UnsafePathException("its path is longer than " + MAX_PATH_BYTES + " bytes");
    }
    List<PosixPath> names = parts(path);
    for (PosixPath name : names) {
      check(name);
    }
    boolean endsInSlash = path.fileName().isEmpty();
    if (names.isEmpty() || endsInSlash) {
      throw new UnsafePathException("its path names no file: \"" + EscapedPath.of(path) + "\"");
    }
    return new TargetPath(names.subList(0, names.size() - 1), names.getLast());
  }

  /**
   * The same for the path of a file, of which the names of the directories are known already.
   *
   * @param directories as {@link #of} found them
   */
  static TargetPath in(List<PosixPath> directories, PosixPath path) throws UnsafePathException {
    PosixPath name = path.fileName();
    if (path.lengthBytes() > MAX_PATH_BYTES || name.isEmpty()) {
      return of(path);
    }
    check(name);
    return new TargetPath(directories, name);
  }

  private static List<PosixPath> parts(PosixPath path) {
    List<PosixPath> parts = new ArrayList<>();
    byte[] bytes = path.toBytes();
    int start = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at == bytes.length || bytes[at] == '/') {
        if (at > start) {
          parts.add(PosixPath.of(Arrays.copyOfRange(bytes, start, at)));
        }
        start = at + 1;
      }
    }
    return parts;
  }

  private static void check(PosixPath name) throws UnsafePathException {
    String text = name.decoded();
    if (text.equals(".") || text.equals("..")) {
      throw new UnsafePathException("its path contains \"" + text + "\"");
    }
    if (name.lengthBytes() > MAX_NAME_BYTES) {
      throw new UnsafePathException(
          "its path contains a name longer than " + MAX_NAME_BYTES + " bytes");
    }
  }

  /** The user's own absolute path without empty and {@code .} parts and slashes at the end. */
  public static PosixPath normalized(PosixPath absolute) {
    PosixPath path = PosixPath.of("/");
    for (PosixPath part : parts(absolute)) {
      path = part.equals(PosixPath.of(".")) ? path : path.resolve(part);
    }
    return path;
  }

  /** The directories and the name. */
  public List<PosixPath> names() {
    List<PosixPath> names = new ArrayList<>(directories);
    names.add(name);
    return names;
  }

  TargetPath below(PosixPath directory) {
    List<PosixPath> all = new ArrayList<>();
    all.add(directory);
    all.addAll(directories);
    return new TargetPath(all, name);
  }

  TargetPath withName(PosixPath newName) {
    return new TargetPath(directories, newName);
  }

  /** The same name with a suffix; the name is shortened where both together are too long. */
  TargetPath withSuffix(String suffix) {
    byte[] end = PosixPath.of(suffix).toBytes();
    byte[] start = name.toBytes();
    int kept = Math.min(start.length, MAX_NAME_BYTES - end.length);
    byte[] joined = Arrays.copyOf(start, kept + end.length);
    System.arraycopy(end, 0, joined, kept, end.length);
    return withName(PosixPath.of(joined));
  }

  /** The same below a directory of another name: that at a depth gets a suffix, as a name does. */
  TargetPath withDirectorySuffix(int depth, String suffix) {
    List<PosixPath> renamed = new ArrayList<>(directories);
    renamed.set(depth, new TargetPath(List.of(), directories.get(depth)).withSuffix(suffix).name());
    return new TargetPath(renamed, name);
  }

  /**
   * Its directories, each relative to the target directory, from the outermost to the innermost.
   */
  List<PosixPath> parents() {
    List<PosixPath> parents = new ArrayList<>();
    PosixPath path = PosixPath.EMPTY;
    for (PosixPath directory : directories) {
      path = path.resolve(directory);
      parents.add(path);
    }
    return parents;
  }

  /** Relative to the target directory. */
  public PosixPath relative() {
    PosixPath path = PosixPath.EMPTY;
    for (PosixPath directory : directories) {
      path = path.resolve(directory);
    }
    return path.resolve(name);
  }
}
