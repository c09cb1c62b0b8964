package dev.tailwater.cli.rehearse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RehearsalPathsTest {
  @TempDir Path directory;

  private RehearsalPaths onlyOther() throws Exception {
    List<RehearsalPaths> others = RehearsalPaths.create(directory).others();
    assertEquals(1, others.size());
    return others.getFirst();
  }

  @Test
  void anotherRehearsalTellsItsFolder() throws Exception {
    RehearsalPaths.create(directory).noteFolder("tailwater-rehearsal-1");
    assertEquals(Optional.of("tailwater-rehearsal-1"), onlyOther().notedFolder());
  }

  @Test
  void aRehearsalThatHasRemovedItsDirectoryMeanwhileTellsNone() throws Exception {
    RehearsalPaths ending = RehearsalPaths.create(directory);
    RehearsalPaths other = onlyOther();
    Files.delete(ending.root());
    assertEquals(Optional.empty(), other.notedFolder());
  }

  @Test
  void whatSomebodyElseHasPutInPlaceOfTheNoteIsNotRead() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "only root may read this");
    Path note = RehearsalPaths.create(directory).root().resolve("folder.txt");
    RehearsalPaths other = onlyOther();
    Files.createSymbolicLink(note, secret);
    assertEquals(Optional.empty(), other.notedFolder());
    Files.delete(note);
    Files.createDirectory(note);
    assertEquals(Optional.empty(), other.notedFolder());
    Files.delete(note);
    Process pipe = new ProcessBuilder("mkfifo", note.toString()).inheritIO().start();
    assertEquals(0, pipe.waitFor());
    assertEquals(Optional.empty(), other.notedFolder());
  }
}
