package dev.tailwater.archive;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The C library of zstd, which is unpacked from its JAR to be loaded. Without a call of this class
 * that happens at the first use, in {@code java.io.tmpdir}; where it fails, as on a file system
 * mounted {@code noexec}, zstd cannot be used until the JVM ends. Thread-safe.
 */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Loads the library, unless that is done, from the first of some directories that permits it.
   * Nothing is remembered of a failure: a later call may succeed. The file there is deleted when
   * the JVM ends.
   *
   * @param directories where it may be unpacked; those that do not exist are passed over
   * @throws IOException if no directory permits it; names all, with the reasons
   */
  public static void load(List<Path> directories) throws IOException {
    Map<Path, String> reasons = new LinkedHashMap<>();
    for (Path directory : directories) {
      if (Native.isLoaded()) {
        return;
      }
      if (Files.isDirectory(directory)) {
        try {
          Native.load(directory.toFile());
        } catch (LinkageError e) {
          reasons.put(directory, reason(e));
        }
      }
    }
    if (!Native.isLoaded()) {
      throw new IOException(
          "the library of zstd can be loaded from no directory: "
              + reasons.entrySet().stream()
                  .map(tried -> tried.getKey() + " (" + tried.getValue() + ")")
                  .collect(Collectors.joining(", ")));
    }
  }

  /** The first line; the next ones are of the system's directories of libraries. */
  private static String reason(LinkageError e) {
    String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    int file = text.indexOf(".so: ");
    return file < 0 ? text : text.substring(text.lastIndexOf(".so: ") + ".so: ".length());
  }
}
