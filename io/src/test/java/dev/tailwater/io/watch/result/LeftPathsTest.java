package dev.tailwater.io.watch.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.watch.result.RenameOrder.Rename;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is reported of paths that files have left. */
final class LeftPathsTest {
  private static final PosixPath A = PosixPath.of("/a");
  private static final PosixPath B = PosixPath.of("/b");
  private static final PosixPath C = PosixPath.of("/c");

  /** Changes in words. */
  private static final class Words implements FileChanges {
    final List<String> words = new ArrayList<>();

    @Override
    public void missed(PosixPath path, boolean written) {
      words.add("missed " + path);
    }

    @Override
    public void disappeared(PosixPath path) {
      words.add("disappeared " + path);
    }

    @Override
    public void renamed(PosixPath from, PosixPath path) {
      words.add("renamed " + from + " " + path);
    }

    @Override
    public void appeared(PosixPath path) {
      words.add("appeared " + path);
    }

    @Override
    public void modified(PosixPath path) {
      words.add("modified " + path);
    }

    @Override
    public void writtenElsewhere(PosixPath path) {
      words.add("written elsewhere " + path);
    }
  }

  private static List<String> report(
      Set<PosixPath> disappeared,
      List<Rename> renamed,
      Set<PosixPath> appeared,
      PosixPath... reported) {
    Words words = new Words();
    new LeftPaths(disappeared, renamed).report(appeared, Set.of(reported)::contains, words);
    return words.words;
  }

  @Test
  void whatHasLeftAPathThatNoOtherFileHasIsGoneOrRenamed() {
    assertEquals(
        List.of("disappeared /a", "renamed /b /c"),
        report(Set.of(A), List.of(new Rename(B, C)), Set.of(), C));
  }

  @Test
  void aPathIsKeptAtWhichAnotherFileWasReported() {
    assertEquals(
        List.of("appeared /c"), report(Set.of(A), List.of(new Rename(B, C)), Set.of(), A, B, C));
  }

  @Test
  void aPathIsLeftBeforeAnotherFileAppearsThere() {
    assertEquals(
        List.of("disappeared /a", "renamed /b /c"),
        report(Set.of(A), List.of(new Rename(B, C)), Set.of(A, B), A, B, C));
  }

  @Test
  void aPathIsLeftBeforeAnotherFileIsRenamedToIt() {
    List<Rename> renamed = List.of(new Rename(B, C), new Rename(A, B));
    assertEquals(
        List.of("disappeared /c", "renamed /b /c", "renamed /a /b"),
        report(Set.of(C), renamed, Set.of(), B, C));
  }
}
