package dev.tailwater.cli.rehearse;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory of a rehearsal, on the file system of the sources.
 *
 * @param root absolute
 */
public record RehearsalPaths(Path root) {
  private static final String PREFIX = ".tailwater-rehearsal-";
  private static final int MAX_NOTE_BYTES = 256;

  /** Creates one below a directory. */
  public static RehearsalPaths create(Path directory) throws IOException {
    return new RehearsalPaths(Files.createTempDirectory(directory, PREFIX).toRealPath());
  }

  /** Returns those of other rehearsals in the same directory, sorted. */
  List<RehearsalPaths> others() throws IOException {
    try (Stream<Path> entries = Files.list(root.resolveSibling(""))) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
          .filter(entry -> !entry.equals(root))
          .sorted()
          .map(RehearsalPaths::new)
          .toList();
    }
  }

  /** Notes the name of the folder at the destinations. */
  void noteFolder(String folder) throws IOException {
    Files.writeString(folderNote(), folder);
  }

  /**
   * Returns the name of the folder at the destinations; empty where it is not noted, and where the
   * note cannot be read: others may have made the directory, and a rehearsal that ends removes it.
   */
  Optional<String> notedFolder() {
    if (!Files.isRegularFile(folderNote(), LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty(); // Opening a pipe would wait for somebody to write to it.
    }
    try (InputStream note = Files.newInputStream(folderNote(), LinkOption.NOFOLLOW_LINKS)) {
      String folder = new String(note.readNBytes(MAX_NOTE_BYTES), UTF_8);
      return Optional.of(folder).filter(name -> !name.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path folderNote() {
    return root.resolve("folder.txt");
  }

  /** The files that are written in a scene. */
  Path files(String scene) {
    return root.resolve(scene).resolve("files");
  }

  Path state(String scene) {
    return root.resolve(scene).resolve("state");
  }

  /** The file that announces the end of the machine. */
  Path notice(String scene) {
    return root.resolve(scene).resolve("notice");
  }

  /** The file that exists while the destination cannot be reached. */
  public Path cut(String scene) {
    return root.resolve(scene).resolve("cut");
  }

  /** The output of the agents. */
  public Path output() {
    return root.resolve("output.txt");
  }
}
