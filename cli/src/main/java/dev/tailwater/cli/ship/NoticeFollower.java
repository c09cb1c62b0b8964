package dev.tailwater.cli.ship;

import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.notice.ActiveNotice;
import dev.tailwater.delivery.notice.Notice;
import dev.tailwater.delivery.notice.NoticeForecast;
import dev.tailwater.delivery.notice.Notices;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Makes an agent follow notices: it drains until the machine is gone, delivers sooner while the
 * machine may go, and delivers everything once before the machine is paused.
 */
final class NoticeFollower implements AutoCloseable {
  /** A notice must be this much earlier than the one that is followed to replace it. */
  private static final Duration EARLIER = Duration.ofSeconds(1);

  private final Agent agent;
  private final PhaseHooks hooks;
  private final Duration pauseDeadline;
  private final Semaphore changes = new Semaphore(0);
  private final CompletableFuture<DrainReport> ended = new CompletableFuture<>();
  private final Set<ActiveNotice> pauses = new HashSet<>();
  private volatile boolean goingDown;
  private Optional<Thread> thread = Optional.empty();

  /**
   * @param pauseDeadline how long everything may take to be delivered before a pause
   */
  NoticeFollower(Agent agent, PhaseHooks hooks, Duration pauseDeadline) {
    this.agent = agent;
    this.hooks = hooks;
    this.pauseDeadline = pauseDeadline;
  }

  /** To be called when a notice was received or withdrawn; returns at once. */
  void noticesChanged() {
    changes.release();
  }

  /** Begins to follow notices. */
  void follow(Notices notices) {
    thread =
        Optional.of(Thread.ofPlatform().name("departure").daemon(true).start(() -> run(notices)));
  }

  /** Completes when the agent has gone down with the machine and reading has stopped for good. */
  CompletableFuture<DrainReport> ended() {
    return ended;
  }

  /** Whether the agent drains because of a notice. */
  boolean isGoingDown() {
    return goingDown;
  }

  /** Whether it has gone down with the machine and reading has stopped for good. */
  boolean hasGoneDown() {
    return ended.state() == Future.State.SUCCESS;
  }

  private void run(Notices notices) {
    try {
      while (!ended.isDone()) {
        changes.drainPermits(); // Before looking: what changes from now on wakes it up again.
        NoticeForecast forecast = notices.forecast();
        agent.expectNotice(forecast.hasNotices());
        Optional<ActiveNotice> near = near(forecast);
        if (near.isPresent()) {
          goDown(near.get(), notices);
        } else {
          hooks.steady();
          deliverBeforePauses(forecast);
          await(forecast);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    } catch (RuntimeException | Error e) {
      ended.completeExceptionally(e);
    }
  }

  private static Optional<ActiveNotice> near(NoticeForecast forecast) {
    return forecast.termination().filter(heard -> left(heard).compareTo(Notice.LONGEST_HURRY) <= 0);
  }

  private static Duration left(ActiveNotice heard) {
    return heard.left(System.nanoTime()).orElseThrow();
  }

  private void goDown(ActiveNotice heard, Notices notices) throws InterruptedException {
    goingDown = true;
    try {
      agent
          .goDown(
              left(heard),
              hooks.listener(NoticePrinter.inWords(heard)),
              () -> {
                hooks.safe(Optional.of(left(heard)));
                notices.safe(false);
              },
              () -> isOverruled(heard, notices.forecast()))
          .ifPresent(ended::complete); // Before it is no longer going down: it is one or the other.
    } finally {
      goingDown = false;
    }
  }

  /** Whether the notice was withdrawn, or another one has an earlier deadline. */
  private static boolean isOverruled(ActiveNotice heard, NoticeForecast forecast) {
    Optional<ActiveNotice> first = near(forecast);
    return first.isEmpty() || left(first.get()).plus(EARLIER).compareTo(left(heard)) < 0;
  }

  private void deliverBeforePauses(NoticeForecast forecast) {
    pauses.retainAll(forecast.active());
    for (ActiveNotice heard : forecast.active()) {
      if (heard.notice().kind() == Notice.Kind.PAUSE && pauses.add(heard)) {
        // On another thread, because a termination may be announced meanwhile.
        Thread.ofVirtual().name("before-pause").start(this::deliverNow);
      }
    }
  }

  private void deliverNow() {
    try {
      agent.drainAndGoOn(pauseDeadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a change, or until a termination is near. */
  private void await(NoticeForecast forecast) throws InterruptedException {
    Optional<Duration> far =
        forecast.termination().map(heard -> left(heard).minus(Notice.LONGEST_HURRY));
    if (far.isEmpty()) {
      changes.acquire();
    } else if (!changes.tryAcquire(Math.max(1, far.get().toMillis()), TimeUnit.MILLISECONDS)) {
      return; // It is near by now.
    }
  }

  /** Stops following notices. */
  @Override
  public void close() {
    thread.ifPresent(Thread::interrupt);
  }
}
