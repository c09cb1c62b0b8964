package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.TestArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class UnnamedFilesTest extends RestoreFixture {
  private final TestArchive archive = TestArchive.inMemory();
  private final AtomicInteger links = new AtomicInteger();
  private final AtomicInteger renames = new AtomicInteger();
  private final byte[] longContents = Bytes.random((int) UnnamedFiles.MOST_BYTES + 1, 1);

  UnnamedFilesTest() throws IOException {
    archive.stream("/d/a", 1).segmentAt(0, Bytes.text("a"));
    archive.stream("/d/b", 2).segmentAt(0, Bytes.text("b"));
    archive.stream("/d/long", 3).segmentAt(0, longContents);
  }

  private RestoreReport restoreWith(FaultPlan plan) throws IOException {
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              switch (call.method()) {
                case "linkOpenFile" -> links.incrementAndGet();
                case "rename" -> renames.incrementAndGet();
                default -> {}
              }
              return plan.decide(call);
            });
    RestoreReport report =
        restore(calls.calls(), archive, RestoreOptions.of(TestArchive.options().withJobs(1)));
    assertEquals(List.of(), calls.openDescriptors());
    return report;
  }

  private void assertAllThere() throws IOException {
    assertFile("d/a", Bytes.text("a"));
    assertFile("d/b", Bytes.text("b"));
    assertFile("d/long", longContents);
    assertEquals(List.of("d/a", "d/b", "d/long"), files());
  }

  @Test
  void shortFilesInNewDirectoriesHaveNoNameUntilTheyAreComplete() throws IOException {
    assertEquals(Outcome.DONE, restoreWith(FaultPlan.none()).outcome());
    assertAllThere();
    assertEquals(3, links.get(), "one to try it out, and one for each short file");
    assertEquals(1, renames.get());
  }

  @Test
  void filesInADirectoryThatWasThereAlwaysHaveAName() throws IOException {
    Files.createDirectories(target().resolve("d"));
    assertEquals(Outcome.DONE, restoreWith(FaultPlan.none()).outcome());
    assertAllThere();
    assertEquals(0, links.get());
    assertEquals(3, renames.get());
  }

  @Test
  void filesHaveNamesWhereTheFileSystemKnowsNoOthers() throws IOException {
    Predicate<Call> unnamed =
        call ->
            call.method().equals("openBeneath")
                && ((Set<?>) call.arguments().get(2)).contains(OpenFlag.UNNAMED);
    FaultPlan plan = FaultPlan.when(unnamed, new Fault.Fail(Errno.EOPNOTSUPP));
    assertEquals(Outcome.DONE, restoreWith(plan).outcome());
    assertAllThere();
    assertEquals(0, links.get());
    assertEquals(3, renames.get());
  }

  @Test
  void filesHaveNamesWhereTheyCannotGetThemLater() throws IOException {
    FaultPlan plan =
        FaultPlan.when(call -> call.method().equals("linkOpenFile"), new Fault.Fail(Errno.ENOENT));
    assertEquals(Outcome.DONE, restoreWith(plan).outcome());
    assertAllThere();
    assertEquals(1, links.get());
    assertEquals(3, renames.get());
  }

  @Test
  void aFileThatCameMeanwhileIsNotReplaced() throws IOException {
    FaultPlan plan =
        call -> {
          if (call.method().equals("linkOpenFile") && links.get() == 2) {
            try {
              Files.write(
                  target().resolve("d").resolve(call.arguments().get(2).toString()), new byte[9]);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
          return Fault.PROCEED;
        };
    RestoreReport report = restoreWith(plan);
    assertEquals(Outcome.PARTIAL, report.outcome());
    List<RestoreResult> results = report.streams().stream().map(RestoredStream::result).toList();
    assertEquals(
        List.of(RestoreResult.REFUSED, RestoreResult.RESTORED, RestoreResult.RESTORED), results);
    assertFile("d/a", new byte[9]);
    assertEquals(List.of("d/a", "d/b", "d/long"), files());
  }
}
