package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.verify.VerifiedStream;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of an archive whose destination fails while it is read. */
class FailingDestinationTest extends RestoreFixture {
  private static final int PACKS = 40;

  private final TestArchive archive = TestArchive.inMemory();

  /** Fails to read some objects. */
  private static final class Failing extends InterceptedDestination {
    private final Predicate<String> fails;
    private final boolean isGone;
    private final AtomicInteger calls = new AtomicInteger();

    Failing(Destination real, Predicate<String> fails, boolean isGone) {
      super(real);
      this.fails = fails;
      this.isGone = isGone;
    }

    @Override
    protected <T> T around(Operation operation, String key, Call<T> call)
        throws DestinationException {
      calls.incrementAndGet();
      if (operation == Operation.READ && fails.test(key)) {
        throw isGone
            ? new NoSuchObjectException(uri(), key)
            : new TransientDestinationException(uri(), "read", key, "503", "The server is busy.");
      }
      return call.run();
    }
  }

  private VerifyReport verify(Predicate<String> fails) throws IOException {
    ReadOptions options = TestArchive.options();
    return new Verifier(
            new Failing(archive.destination, fails, false), options, RestoreProgress.none())
        .verify(archive.index(options));
  }

  @Test
  void whatTheDestinationWouldNotGiveIsNeitherDamagedNorMissing() throws IOException {
    String unread = archive.stream("/a", 1).segmentAt(0, Bytes.text("aaa"));
    archive.stream("/b", 2).segmentAt(0, Bytes.text("bbb"));

    VerifyReport report = verify(unread::equals);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.unreadObjects());
    VerifiedStream stream = report.streams().getFirst();
    assertFalse(stream.isComplete());
    assertEquals(List.of(), stream.missing());
    assertEquals(0, stream.bytes());
    Damage damage = stream.damages().getFirst();
    assertEquals(Damage.Kind.UNREADABLE, damage.kind());
    assertTrue(damage.why().startsWith("could not be read: "), damage.why());
    assertTrue(report.streams().getLast().isComplete());
  }

  @Test
  void whereNothingCouldBeReadVerifyHasFailed() throws IOException {
    archive.stream("/a", 1).segmentAt(0, Bytes.text("aaa"));
    VerifyReport report = verify(_ -> true);
    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(List.of(), report.streams().getFirst().missing());
  }

  @Test
  @Timeout(60)
  void aRestoreOfPacksThatAreAllGoneAsksForEachAFewTimes() throws IOException {
    for (int number = 0; number < PACKS; number++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + number, List.of());
      packs.add(archive.stream("/p/file" + number, number + 1), 0, Bytes.text("text"));
      packs.deliver();
    }
    ReadOptions options = TestArchive.options();
    Failing gone = new Failing(archive.destination, _ -> true, true);

    RestoreReport report =
        new Restorer(CALLS, gone, RestoreOptions.of(options), RestoreProgress.none())
            .restore(archive.index(options), PosixPath.of(target()));

    assertEquals(Outcome.FAILED, report.outcome());
    assertTrue(gone.calls.get() < 20 * PACKS, gone.calls + " calls");
  }
}
