package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<Problem> ended = new CopyOnWriteArrayList<>();
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {}

            @Override
            public void ended(Problem problem) {
              ended.add(problem);
            }
          },
          () -> 0);
  private final NoticeListener listener =
      new NoticeListener() {
        @Override
        public void heard(ActiveNotice heard) {
          told.add("heard " + heard.notice().id());
        }

        @Override
        public void withdrawn(ActiveNotice heard) {
          told.add("withdrawn " + heard.notice().id());
        }

        @Override
        public void survived(String source, Notice notice) {
          told.add("survived " + notice.id());
        }
      };
  private Optional<Notices> open = Optional.empty();

  @AfterEach
  void close() {
    open.ifPresent(Notices::close);
  }

  /** A source that gives what the test sets. */
  private static final class Said implements NoticeSource {
    private final String name;
    private volatile List<Notice> notices = List.of();
    private volatile Optional<Exception> failure = Optional.empty();
    private final AtomicInteger asked = new AtomicInteger();
    private final List<Boolean> safe = new CopyOnWriteArrayList<>();

    Said(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Duration pause() {
      return Duration.ofMillis(1);
    }

    @Override
    public List<Notice> ask() throws IOException {
      asked.incrementAndGet();
      if (failure.isPresent()) {
        switch (failure.get()) {
          case IOException e -> throw e;
          case RuntimeException e -> throw e;
          default -> throw new IllegalStateException("not thrown by sources");
        }
      }
      return notices;
    }

    @Override
    public void safe(boolean ending) {
      safe.add(ending);
    }

    void awaitAsked() {
      int before = asked.get();
      // The one under way may have begun before.
      awaitTrue(() -> asked.get() >= before + 2);
    }
  }

  private Notices start(NoticeSource... sources) {
    Notices notices =
        Notices.start(List.of(sources), () -> Detection.NONE, problems, nanos::get, listener);
    open = Optional.of(notices);
    return notices;
  }

  private static Notice termination(String id, long leftSeconds) {
    return new Notice(
        Notice.Kind.TERMINATION,
        id,
        Optional.of(Duration.ofSeconds(leftSeconds)),
        Duration.ofMinutes(2),
        "text");
  }

  private static void awaitTrue(BooleanSupplier condition) {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < giveUp, "waited in vain");
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void tellsEachNoticeOnceAndKeepsItsDeadlineWhateverTheClocksSay() {
    Said source = new Said("a");
    Notices notices = start(source);
    source.awaitAsked();
    source.notices = List.of(termination("x", 100));
    awaitTrue(() -> told.size() == 1);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(10)); // Beyond the largest long.
    // The wall clock jumps by an hour, so the source reckons anew.
    source.notices = List.of(termination("x", 3700));
    source.awaitAsked();
    source.notices = List.of(termination("x", -3500));
    source.awaitAsked();
    ActiveNotice heard = notices.forecast().termination().orElseThrow();
    assertEquals(Optional.of(Duration.ofSeconds(90)), heard.left(nanos.get()));
    assertEquals(List.of("heard x"), told);
  }

  @Test
  void theEarliestDeadlineCountsAndWithdrawnOnesDoNot() {
    Said one = new Said("one");
    Said other = new Said("other");
    one.notices = List.of(termination("late", 200));
    other.notices =
        List.of(
            termination("early", 100),
            new Notice(
                Notice.Kind.RISK, "r", Optional.empty(), Duration.ofSeconds(1), "rebalance"));
    Notices notices = start(one, other);
    awaitTrue(() -> told.size() == 3);
    assertEquals("early", notices.forecast().termination().orElseThrow().notice().id());
    other.notices = List.of();
    awaitTrue(() -> told.size() == 5);
    assertEquals("late", notices.forecast().termination().orElseThrow().notice().id());
    one.notices = List.of();
    awaitTrue(() -> !notices.forecast().hasNotices());
    awaitTrue(() -> told.contains("withdrawn late"));
  }

  @Test
  void anotherDeadlineOfTheSameSourceIsNoWithdrawal() {
    Said source = new Said("a");
    source.notices = List.of(termination("x", 100));
    Notices notices = start(source);
    awaitTrue(() -> told.size() == 1);
    source.notices = List.of(termination("y", 50));
    awaitTrue(() -> told.size() == 2);
    assertEquals(List.of("heard x", "heard y"), told);
    assertEquals("y", notices.forecast().termination().orElseThrow().notice().id());
    assertEquals(1, notices.forecast().active().size());
  }

  @Test
  void whatWasLongSurvivedBeforeTheStartIsIgnoredUntilItSaysSomethingElse() {
    Said source = new Said("a");
    source.notices = List.of(termination("old", -61));
    Notices notices = start(source);
    source.awaitAsked();
    source.awaitAsked();
    assertEquals(List.of("survived old"), told);
    assertFalse(notices.forecast().hasNotices());
    source.notices = List.of(termination("new", 100));
    awaitTrue(() -> notices.forecast().termination().isPresent());
  }

  @Test
  void aDeadlineThatHasJustPassedLeavesAMoment() {
    Said source = new Said("a");
    source.notices = List.of(termination("x", -5));
    Notices notices = start(source);
    awaitTrue(() -> told.size() == 1);
    assertEquals(
        Optional.of(Duration.ofSeconds(2)),
        notices.forecast().termination().orElseThrow().left(nanos.get()));
  }

  @Test
  void aNewNoticeOfThePastIsAClockThatIsWrong() {
    Said source = new Said("a");
    Notices notices = start(source);
    source.awaitAsked();
    source.notices = List.of(termination("x", -1_000_000));
    awaitTrue(() -> told.size() == 1);
    assertEquals(
        Optional.of(Duration.ofMinutes(2)),
        notices.forecast().termination().orElseThrow().left(nanos.get()));
  }

  @Test
  void anAbsurdDeadlineIsFarAway() {
    Said source = new Said("a");
    source.notices = List.of(termination("x", Long.MAX_VALUE));
    Notices notices = start(source);
    awaitTrue(() -> told.size() == 1);
    ActiveNotice heard = notices.forecast().termination().orElseThrow();
    assertEquals(Optional.of(Duration.ofDays(365)), heard.left(nanos.get()));
  }

  @Test
  void failuresAreCountedAndChangeNothing() {
    Said source = new Said("a");
    source.notices = List.of(termination("x", 100));
    Notices notices = start(source);
    awaitTrue(() -> told.size() == 1);
    source.failure = Optional.of(new IOException("GET http://x: status 500"));
    awaitTrue(() -> problems.open().stream().anyMatch(p -> p.times() >= 2));
    Problem problem = problems.open().getFirst();
    assertEquals("notices from a: GET http://x: status 500", problem.message());
    assertFalse(problem.permanent());
    assertTrue(notices.forecast().termination().isPresent());
    source.failure = Optional.of(new IllegalStateException("a mistake"));
    awaitTrue(() -> problems.open().getFirst().message().contains("a mistake"));
    source.failure = Optional.empty();
    awaitTrue(() -> ended.size() == 1);
    assertEquals(List.of(), problems.open());
    assertEquals(List.of("heard x"), told);
  }

  @Test
  void onlyThoseWhoToldOfATerminationHearThatNothingIsAtRisk() throws Exception {
    Said one = new Said("one");
    Said other = new Said("other");
    one.notices = List.of(termination("x", 100));
    Notices notices = start(one, other);
    awaitTrue(() -> told.size() == 1);
    Notices.await(notices.safe(false), Duration.ofSeconds(30));
    Notices.await(notices.safe(true), Duration.ofSeconds(30));
    assertEquals(List.of(false, true), one.safe);
    assertEquals(List.of(), other.safe);
    assertEquals(List.of("one", "other"), notices.watched());
  }

  @Test
  void anInterruptEndsAQuestionThatHangs() throws Exception {
    try (FakeGce gce = new FakeGce()) {
      GceSource source =
          new GceSource(
              new MetadataHttpClient(), gce.uri(), GceSource.Key.PREEMPTED, Duration.ofMinutes(10));
      NoticeBoard board = new NoticeBoard(nanos::get, listener);
      Thread watch = Thread.ofVirtual().start(new SourceWatch(source, board, problems));
      awaitTrue(() -> gce.requests().size() == 2);
      watch.interrupt();
      assertTrue(watch.join(Duration.ofMinutes(1)), "it does not wait for the answer");
      assertEquals(List.of(), problems.open());
    }
  }
}
