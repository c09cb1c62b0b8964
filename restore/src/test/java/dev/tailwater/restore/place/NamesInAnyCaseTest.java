package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.name.TargetPath;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Restores to a file system that takes names which differ in case for the same. */
class NamesInAnyCaseTest extends RestoreFixture {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);

  private final TestArchive archive = TestArchive.inMemory();

  /** Calls to such a file system, as far as the last name of a relative path goes. */
  private static FileCalls inAnyCase() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              Object[] folded = arguments == null ? new Object[0] : arguments.clone();
              Arrays.setAll(folded, i -> folded(folded[i]));
              try {
                return method.invoke(CALLS, folded);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  private static Object folded(Object argument) {
    return argument instanceof PosixPath path && !path.isAbsolute()
        ? PosixPath.of(path.decoded().toLowerCase(Locale.ROOT))
        : argument;
  }

  private RestoreReport restored(boolean overwrite) throws IOException {
    return restore(
        inAnyCase(), archive, RestoreOptions.of(TestArchive.options()).withOverwrite(overwrite));
  }

  /** The second one must not replace what the first one has of it, or what overwriting allows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void neverCallsTwoFilesRestoredOfWhichOnlyOneIsThere(boolean overwrite) throws IOException {
    archive.stream("/log/A", 1).segmentAt(0, Bytes.text(overwrite ? "first" : "\0\0"));
    archive.stream("/log/a", 2).segmentAt(0, Bytes.text("second"));
    Files.createDirectories(target().resolve("log"));
    for (int run = 0; run < 3; run++) {
      RestoreReport report = restored(overwrite);
      assertEquals(Outcome.PARTIAL, report.outcome(), report.toString());
      assertEquals(1, report.count(RestoreResult.REFUSED), report.toString());
      assertEquals(List.of("log/a"), files());
      RestoredStream there =
          report.streams().stream()
              .filter(stream -> stream.result() != RestoreResult.REFUSED)
              .findFirst()
              .orElseThrow();
      String text = overwrite ? "first" : "\0\0";
      assertFile("log/a", Bytes.text(there.path().toString().equals("/log/A") ? text : "second"));
    }
  }

  @Test
  void filesWithSuchNamesAreRestoredWhereTheyAreNotTheSame() throws IOException {
    archive.stream("/log/A", 1).segmentAt(0, Bytes.text("first"));
    archive.stream("/log/a", 2).segmentAt(0, Bytes.text("second"));
    Files.createDirectories(target().resolve("log"));
    for (boolean overwrite : List.of(false, true)) {
      RestoreOptions options = RestoreOptions.of(TestArchive.options()).withOverwrite(overwrite);
      assertEquals(Outcome.DONE, restore(archive, options).outcome());
      assertFile("log/A", Bytes.text("first"));
      assertFile("log/a", Bytes.text("second"));
      Files.writeString(target().resolve("log/A"), "changed");
      Files.writeString(target().resolve("log/a"), "changed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "second"})
  void whatIsThereAlreadyIsNotRefused(String text) throws IOException {
    archive.stream("/log/A", 1).segmentAt(0, Bytes.text("first"));
    archive.stream("/log/a", 2).segmentAt(0, Bytes.text("second"));
    Files.createDirectories(target().resolve("log"));
    Files.writeString(target().resolve("log/a"), text);
    RestoreReport report = restored(false);
    assertEquals(1, report.count(RestoreResult.ALREADY_THERE), report.toString());
    assertEquals(1, report.count(RestoreResult.REFUSED), report.toString());
    assertEquals(Outcome.PARTIAL, report.outcome());
  }

  /** Between the look at what one of them finds and its claim, the other one gets the place. */
  @Test
  void refusesTheSecondOneThoughItSawWhatTheFirstOneHasReplaced() throws Exception {
    archive.stream("/log/A", 1).segmentAt(0, Bytes.text("first"));
    archive.stream("/log/a", 2).segmentAt(0, Bytes.text("second"));
    Path place = Files.createDirectories(target().resolve("log")).resolve("a");
    Files.writeString(place, "before");
    TargetNames names = TargetNames.of(archive.index(TestArchive.options()));
    List<TargetPath> places =
        names.all().values().stream().sorted(Comparator.comparing(TargetPath::relative)).toList();
    try (TargetTree tree = TargetTree.open(inAnyCase(), PosixPath.of(target()))) {
      NamesAlike alike = new NamesAlike(tree, names);
      Optional<TakenName.Found> before;
      try (Descriptor log = tree.directory(places.getFirst().directories())) {
        FileStatus file = tree.calls().statx(log.fd(), places.getFirst().name(), NO_FOLLOW);
        before =
            Optional.of(new TakenName.Found(ExistingFile.Verdict.DIFFERENT, Optional.of(file)));
      }
      alike.claim(places.getFirst(), before);
      Path written = Files.writeString(target().resolve("written"), "first");
      Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
      assertThrows(StreamFailure.class, () -> alike.claim(places.getLast(), before));
    }
  }
}
