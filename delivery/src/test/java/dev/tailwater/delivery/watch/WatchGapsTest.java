package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchGapsTest {
  private static final PosixPath PATH = PosixPath.of("/logs/a");

  private final List<Problem> said = new ArrayList<>();
  private final WatchGaps gaps = new WatchGaps(new Problems(new Said(), () -> 0));

  private final class Said implements ProblemListener {
    @Override
    public void began(Problem problem) {
      said.add(problem);
    }

    @Override
    public void ended(Problem problem) {}
  }

  @ParameterizedTest
  @CsvSource({
    "EACCES, let the agent's user read it",
    "EIO, not taken for deleted",
    "ELOOP, target a source",
    "ENAMETOOLONG, no path of more than 4095 bytes",
    "EMFILE, raise the limit of open files"
  })
  void theHintFitsTheReason(Errno why, String hint) {
    gaps.unobservable(
        new WatchChange.Unobservable(PATH, ErrnoException.of("openat2", PATH.toString(), why)));
    assertEquals(1, said.size());
    assertTrue(said.getFirst().hint().orElseThrow().contains(hint), said.toString());
    assertEquals(1, gaps.unobservableWithout(_ -> false));
    gaps.observable(new WatchChange.Observable(PATH));
    assertEquals(0, gaps.unobservableWithout(_ -> false));
  }
}
