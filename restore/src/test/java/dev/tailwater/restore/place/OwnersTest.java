package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.attribute.UnsetOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnersTest extends RestoreFixture {
  private static final int UNKNOWN_ID = 54_321;

  private final TestArchive archive = TestArchive.inMemory();
  private final TestArchive.TestStream tool = archive.stream("/bin/tool", 1);

  private RestoreReport restore(FileCalls with, OwnerChoice choice) throws IOException {
    tool.segmentAt(0, new byte[] {1});
    return restore(with, archive, RestoreOptions.of(TestArchive.options()).withOwners(choice));
  }

  private RestoreReport restore(OwnerChoice choice) throws IOException {
    return restore(CALLS, choice);
  }

  private Object attribute(String name) throws IOException {
    return Files.getAttribute(target().resolve("bin/tool"), "unix:" + name);
  }

  private void requireRoot() {
    assumeTrue(CALLS.effectiveUserId() == 0, "only root may give files away");
  }

  private void mine() throws IOException {
    int user = (int) Files.getAttribute(scratch, "unix:uid");
    int group = (int) Files.getAttribute(scratch, "unix:gid");
    tool.owner = Optional.of(new FileOwner(user, group, "", ""));
  }

  @Test
  void leavesTheOwnerAndTheSpecialBitsUnlessAsked() throws IOException {
    tool.permissions = 06755;
    tool.owner = Optional.of(new FileOwner(UNKNOWN_ID, UNKNOWN_ID, "", ""));
    assertEquals(Outcome.DONE, restore(OwnerChoice.NONE).outcome());
    assertEquals(Files.getAttribute(scratch, "unix:uid"), attribute("uid"));
    assertEquals(0755, (int) attribute("mode") & 07777);
  }

  @Test
  void aFileThatIsMineAlreadyGetsItsSpecialBitsFromAnybody() throws IOException {
    mine();
    tool.permissions = 06755;
    assertEquals(Outcome.DONE, restore(OwnerChoice.BY_NAME).outcome());
    assertEquals(06755, (int) attribute("mode") & 07777);
  }

  @Test
  void aNameCountsMoreThanItsIdWhereThisMachineKnowsIt() throws IOException {
    requireRoot();
    tool.owner = Optional.of(new FileOwner(UNKNOWN_ID, UNKNOWN_ID, "root", "no such group"));
    assertEquals(Outcome.DONE, restore(OwnerChoice.BY_NAME).outcome());
    assertEquals(0, attribute("uid"));
    assertEquals(UNKNOWN_ID, attribute("gid"));
  }

  @Test
  void idsAloneCountWhereThatIsAsked() throws IOException {
    requireRoot();
    tool.permissions = 04711;
    tool.owner = Optional.of(new FileOwner(UNKNOWN_ID, UNKNOWN_ID, "root", "root"));
    assertEquals(Outcome.DONE, restore(OwnerChoice.BY_ID).outcome());
    assertEquals(UNKNOWN_ID, attribute("uid"));
    assertEquals(04711, (int) attribute("mode") & 07777);
  }

  @Test
  void anOwnerThatMayNotBeSetIsCountedAndTheSpecialBitsStayAway() throws IOException {
    tool.permissions = 06755;
    tool.owner = Optional.of(new FileOwner(UNKNOWN_ID, UNKNOWN_ID, "", ""));
    FaultyFileCalls refusing =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.when(call -> call.is("changeOwner"), new Fault.Fail(Errno.EPERM)));
    RestoreReport report = restore(refusing.calls(), OwnerChoice.BY_NAME);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.unsetOwners().orElseThrow().refused());
    assertEquals(0755, (int) attribute("mode") & 07777);
  }

  @Test
  void anOwnerThatTheArchiveDoesNotTellIsCounted() throws IOException {
    RestoreReport report = restore(OwnerChoice.BY_NAME);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(new UnsetOwners(0, 1, Optional.empty()), report.unsetOwners().orElseThrow());
  }
}
