package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The mode of a store. The mode of a directory never changes.
 *
 * <pre>{@code
 * Optional<StoreMode> mode = StoreMode.of(directory);
 * }</pre>
 */
public enum StoreMode {
  /** Values on disk, an index in memory: {@link dev.tailwater.store.datafile.DataFileStore}. */
  DATA("data", Pattern.compile("data-\\d{10}-\\d{10}-\\d{6}(\\.tmp)?|hint-[0-9-]+|index")),

  /** Values in memory: {@link dev.tailwater.store.log.TransactionLogStore}. */
  LOG("log", Pattern.compile("(log|snapshot)-\\d{19}(\\.tmp)?"));

  private final String text;
  private final Pattern names;

  StoreMode(String text, Pattern names) {
    this.text = text;
    this.names = names;
  }

  /** Returns its name on a command line. */
  public String text() {
    return text;
  }

  /** As {@link #of(FileCalls, PosixPath)}, over the system's own calls. */
  public static Optional<StoreMode> of(Path directory) throws IOException {
    return of(LinuxFileCalls.create(), PosixPath.of(directory.toAbsolutePath()));
  }

  /**
   * Returns the mode of the store in this directory, by the names of its files; empty when there is
   * none. Where there are files of both modes, it is {@link #DATA}, and opening refuses them.
   *
   * @throws StoreUnavailableException when the directory cannot be read
   */
  public static Optional<StoreMode> of(FileCalls calls, PosixPath directory) throws IOException {
    try (StoreDirectory opened = StoreDirectory.openExisting(calls, directory)) {
      Set<StoreMode> found = EnumSet.noneOf(StoreMode.class);
      for (DirectoryEntry entry : opened.entries()) {
        for (StoreMode mode : values()) {
          if (mode.names.matcher(entry.name().toString()).matches()) {
            found.add(mode);
          }
        }
      }
      return found.stream().findFirst(); // in the order in which they stand above
    } catch (StoreUnavailableException failed) {
      if (failed.getCause() instanceof ErrnoException errno && errno.errno() == Errno.ENOENT) {
        return Optional.empty();
      }
      throw failed;
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(directory, failed);
    }
  }
}
