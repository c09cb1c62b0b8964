package dev.tailwater.delivery.notice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The notices in force of all sources. Thread-safe; the listener is called without the lock. */
final class NoticeBoard {
  private record Key(String source, String id) {}

  private final LongSupplier nanoClock;
  private final NoticeListener listener;

  /** The notices in force, oldest first. */
  @GuardedBy("this")
  private final Map<Key, ActiveNotice> holding = new LinkedHashMap<>();

  /** Outdated notices that sources still give. */
  @GuardedBy("this")
  private final Set<Key> survived = new HashSet<>();

  NoticeBoard(LongSupplier nanoClock, NoticeListener listener) {
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  synchronized NoticeForecast forecast() {
    return new NoticeForecast(new ArrayList<>(holding.values()));
  }

  /**
   * Takes in an answer of a source: all of its notices in force.
   *
   * @param fresh whether it has answered before, so that a notice that is new here is new indeed
   */
  void update(String source, List<Notice> notices, boolean fresh) {
    List<Runnable> news = new ArrayList<>();
    synchronized (this) {
      Set<Key> now = new HashSet<>();
      for (Notice notice : notices) {
        Key key = new Key(source, notice.id());
        if (now.add(key) && !holding.containsKey(key) && !survived.contains(key)) {
          add(key, notice, fresh, news);
        }
      }
      survived.removeIf(key -> key.source().equals(source) && !now.contains(key));
      List<Key> gone =
          holding.keySet().stream()
              .filter(key -> key.source().equals(source) && !now.contains(key))
              .toList();
      for (Key key : gone) {
        ActiveNotice heard = Optional.ofNullable(holding.remove(key)).orElseThrow();
        boolean replaced =
            notices.stream().anyMatch(notice -> notice.kind() == heard.notice().kind());
        if (!replaced) {
          news.add(() -> listener.withdrawn(heard));
        }
      }
    }
    news.forEach(Runnable::run);
  }

  @GuardedBy("this")
  private void add(Key key, Notice notice, boolean fresh, List<Runnable> news) {
    long now = nanoClock.getAsLong();
    ActiveNotice heard;
    if (notice.kind() == Notice.Kind.TERMINATION) {
      Optional<Long> deadline =
          DeadlineEstimate.left(notice, fresh).map(left -> now + DeadlineEstimate.nanos(left));
      if (deadline.isEmpty()) {
        survived.add(key);
        news.add(() -> listener.survived(key.source(), notice));
        return;
      }
      heard = new ActiveNotice(key.source(), notice, deadline);
    } else {
      heard =
          new ActiveNotice(
              key.source(), notice, notice.left().map(left -> now + DeadlineEstimate.nanos(left)));
    }
    holding.put(key, heard);
    news.add(() -> listener.heard(heard));
  }
}
