package dev.tailwater.lab.change;

import dev.tailwater.io.watch.NotificationMethod;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;

/** Methods of finding out which files have changed, within a second if they can. */
enum ChangeWay {
  /** A poll of all files once a second. */
  POLLING("polling"),
  /** The JDK's WatchService. */
  WATCH_SERVICE("WatchService"),
  /** inotify, handling every event as it arrives, as in article 004. */
  INOTIFY("inotify, per event"),
  /** A hybrid that collects events, and polls files that are written all the time. */
  HYBRID("hybrid (ours)"),
  /** The same hybrid with fanotify; for root only. */
  FANOTIFY("fanotify");

  private static final long LATENCY_MILLIS = 1_000;
  private static final long MIN_TICK_MILLIS = 2;
  private static final long NEVER_MILLIS = 3_600_000;

  private final String words;

  ChangeWay(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** Starts a watcher of the tree. */
  Watcher open(FileCalls calls, WatchedTree tree) throws IOException {
    return switch (this) {
      case POLLING -> new PollingWatcher(calls, tree);
      case WATCH_SERVICE -> new ServiceWatcher(tree);
      case INOTIFY -> directory(calls, tree, NotificationMethod.INOTIFY, 0);
      case HYBRID -> directory(calls, tree, NotificationMethod.INOTIFY, LATENCY_MILLIS);
      case FANOTIFY -> directory(calls, tree, NotificationMethod.FANOTIFY, LATENCY_MILLIS);
    };
  }

  private static Watcher directory(
      FileCalls calls, WatchedTree tree, NotificationMethod method, long maxTickMillis)
      throws IOException {
    return new DirectoryWatcher(
        calls,
        tree,
        WatchOptions.defaults()
            .withReconcileMillis(NEVER_MILLIS)
            .withPollMillis(LATENCY_MILLIS)
            .withTickMillis(Math.min(MIN_TICK_MILLIS, maxTickMillis), maxTickMillis)
            .withNotification(method));
  }
}
