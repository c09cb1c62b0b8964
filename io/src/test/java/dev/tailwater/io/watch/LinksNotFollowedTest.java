package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.watch.WatchStatistics.Links;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.EntryType;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinksNotFollowedTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final WatchOptions LOGS_ONLY =
      WatchHarness.NOTIFIED_ONLY.withWanted(path -> path.toString().endsWith(".log"));

  private Path root;

  @BeforeEach
  void make(@TempDir Path directory) throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("b.log"), "b");
    Files.createDirectory(root.resolve("below"));
    Files.writeString(root.resolve("a.log"), "a");
    Files.createSymbolicLink(root.resolve("b.log"), elsewhere.resolve("b.log"));
    Files.createSymbolicLink(root.resolve("below/c.log"), Path.of("/nowhere"));
    Files.createSymbolicLink(root.resolve("below/elsewhere"), elsewhere);
  }

  /** The calls as they are, and those of a file system whose directories tell no types. */
  static Stream<FileCalls> calls() {
    return Stream.of(CALLS, withoutTypes());
  }

  private static FileCalls withoutTypes() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals("nextEntries")) {
                @SuppressWarnings("unchecked")
                Consumer<DirectoryEntry> taker = (Consumer<DirectoryEntry>) arguments[1];
                arguments[1] = (Consumer<DirectoryEntry>) entry -> taker.accept(untyped(entry));
              }
              try {
                return called.invoke(CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static DirectoryEntry untyped(DirectoryEntry entry) {
    return new DirectoryEntry(entry.name(), entry.inode(), EntryType.UNKNOWN);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void linksWithWantedNamesAreCountedAsLastListed(FileCalls calls) throws IOException {
    try (WatchHarness watch = new WatchHarness(calls, LOGS_ONLY, root)) {
      assertEquals(1, watch.known.size());
      assertEquals(new Links(2, 1), watch.watch().statistics().links());

      Files.createSymbolicLink(root.resolve("d.log"), Path.of("a.log"));
      Files.delete(root.resolve("below/c.log"));
      watch.watch().scan();
      assertEquals(new Links(2, 1), watch.watch().statistics().links());
      Files.delete(root.resolve("d.log"));
      watch.watch().scan();
      assertEquals(new Links(1, 1), watch.watch().statistics().links());
    }
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aScanOfEverythingListsDirectoriesBelow(FileCalls calls) throws IOException {
    WatchOptions polled = LOGS_ONLY.withNotification(NotificationMethod.POLLING);
    try (WatchHarness watch = new WatchHarness(calls, polled, root)) {
      Files.writeString(root.resolve("below/new.log"), "new");
      var _ = watch.watch().scan();
      assertEquals(2, watch.watch().statistics().files());
    }
  }

  @Test
  void linksOfADirectoryThatIsGoneAreNotCounted() throws IOException {
    try (WatchHarness watch = new WatchHarness(CALLS, LOGS_ONLY, root)) {
      Files.delete(root.resolve("below/c.log"));
      Files.delete(root.resolve("below/elsewhere"));
      Files.delete(root.resolve("below"));
      watch.until(() -> watch.watch().statistics().directories() == 1);
      assertEquals(new Links(1, 0), watch.watch().statistics().links());
    }
  }

  @Test
  void linksThatAreFollowedOrNotWantedAreNotCounted() throws IOException {
    WatchOptions following = LOGS_ONLY.withFollowSymlinks(true);
    try (WatchHarness watch = new WatchHarness(CALLS, following, root)) {
      assertEquals(new Links(0, 0), watch.watch().statistics().links());
    }
    WatchOptions topOnly = LOGS_ONLY.withDescend(path -> false);
    try (WatchHarness watch = new WatchHarness(CALLS, topOnly, root)) {
      assertEquals(new Links(1, 0), watch.watch().statistics().links());
    }
    try (WatchHarness watch = new WatchHarness(CALLS, LOGS_ONLY, root.resolve("b.log"))) {
      assertEquals(new Links(0, 0), watch.watch().statistics().links());
    }
  }
}
