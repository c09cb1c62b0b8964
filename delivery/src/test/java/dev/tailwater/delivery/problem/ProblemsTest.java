package dev.tailwater.delivery.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A problem is told once and counted from then on. */
class ProblemsTest {
  private long nowMillis = 7;
  private final List<String> told = new ArrayList<>();
  private Optional<Error> listenerFails = Optional.empty();
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {
              failIfToldTo();
              told.add(problem.message());
            }

            @Override
            public void ended(Problem problem) {
              failIfToldTo();
              told.add("over after " + problem.times());
            }
          },
          () -> nowMillis);

  private void failIfToldTo() {
    if (listenerFails.isPresent()) {
      throw listenerFails.get();
    }
  }

  private void report(String message) {
    problems.report("archive", message, Optional.empty(), false);
  }

  private List<String> open() {
    return problems.open().stream().map(Problem::message).toList();
  }

  @Test
  void aListenerThatThrowsStopsNobodyWhoReportsAndIsAnOpenProblemItself() {
    listenerFails = Optional.of(new AssertionError("no more room for the log"));
    report("put: ENOSPC");
    String failed =
        "the listener for problems has failed: java.lang.AssertionError: no more room for the log";
    assertEquals(List.of("put: ENOSPC", failed), open());
    problems.resolved("archive");
    assertEquals(List.of(failed), open());
    assertFalse(problems.open().getFirst().bytesDependOnIt());
  }

  @Test
  void aListenerThatHearsAgainIsNoProblemAnyMore() {
    listenerFails = Optional.of(new AssertionError("no more room for the log"));
    report("put: ENOSPC");
    listenerFails = Optional.empty();
    problems.resolved("archive");
    assertEquals(List.of("over after 1"), told);
    assertEquals(List.of(), open());
  }

  @Test
  void whatDiffersInNumbersOnlyIsTheSameProblem() {
    report("pwrite fd 67: ENOSPC (No space left on device)");
    report("pwrite fd 68: ENOSPC (No space left on device)");
    report("pwrite fd 1234: ENOSPC (No space left on device)");
    assertEquals(List.of("pwrite fd 67: ENOSPC (No space left on device)"), told);
    Problem open = problems.open().getFirst();
    assertEquals(3, open.times());
    assertEquals("pwrite fd 1234: ENOSPC (No space left on device)", open.message());
    problems.resolved("archive");
    assertEquals("over after 3", told.getLast());
  }

  @Test
  void thoseOfSeveralKindsThatTakeTurnsAreToldOnceEach() {
    for (int i = 0; i < 100; i++) {
      report("put a/" + i + ".zst: ENOSPC");
      report("list a/: EIO");
    }
    assertEquals(List.of("put a/0.zst: ENOSPC", "list a/: EIO"), told);
    assertEquals(200, problems.open().getFirst().times());
  }

  @Test
  void howManyKindsOfOneProblemAreToldIsBounded() {
    for (char c = 'a'; c <= 'z'; c++) {
      report("some kind of trouble: " + c);
    }
    assertEquals(8, told.size());
    assertEquals(26, problems.open().getFirst().times());
  }

  @Test
  void theKindIsWhatIsGivenAsSuch() {
    for (String key : List.of("abc", "def")) {
      problems.report("archive", "put ENOSPC", "put " + key + ": ENOSPC", Optional.empty(), false);
    }
    assertEquals(List.of("put abc: ENOSPC"), told);
  }

  @Test
  void whatComesAndGoesIsNotToldEachTimeButWhatLastsIs() {
    for (int i = 0; i < 100; i++) {
      report("put: ENOSPC");
      problems.resolved("archive");
      nowMillis += 100;
    }
    assertEquals(List.of("put: ENOSPC", "over after 1"), told);
    report("put: ENOSPC");
    assertEquals(101, problems.open().getFirst().times());
    nowMillis += 5_000;
    report("put: ENOSPC");
    assertEquals(List.of("put: ENOSPC", "over after 1", "put: ENOSPC"), told);
    problems.resolved("archive");
    assertEquals("over after 102", told.getLast());
  }

  @Test
  void whatComesBackAfterAWhileOrIsOfAnotherKindIsTold() {
    report("put: ENOSPC");
    problems.resolved("archive");
    report("put: EROFS");
    problems.resolved("archive");
    nowMillis += 60_000;
    report("put: EROFS");
    assertEquals(
        List.of("put: ENOSPC", "over after 1", "put: EROFS", "over after 2", "put: EROFS"), told);
  }
}
