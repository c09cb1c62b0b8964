package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchGapsTest {
  private static final PosixPath ROOT = PosixPath.of("/var/log");
  private static final PosixPath FILE = PosixPath.of("/var/log/app/known.log");

  private final List<String> said = new ArrayList<>();
  private final WatchGaps gaps =
      new WatchGaps(
          new Problems(
              new ProblemListener() {
                @Override
                public void began(Problem problem) {
                  said.add(problem.subject());
                }

                @Override
                public void ended(Problem problem) {
                  said.remove(problem.subject());
                }
              },
              () -> 0));

  @Test
  void aNameThatFoundNoRoomIsNotTakenForGone() {
    assertFalse(gaps.hides(FILE));
    gaps.overfull(new WatchChange.Overfull(ROOT));
    assertTrue(gaps.hides(FILE));
    assertFalse(gaps.hides(PosixPath.of("/srv/other.log")));
    assertEquals(1, said.size());
    gaps.notOverfull(new WatchChange.NotOverfull(ROOT));
    assertFalse(gaps.hides(FILE));
    assertEquals(List.of(), said);
  }
}
