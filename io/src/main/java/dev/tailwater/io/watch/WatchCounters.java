package dev.tailwater.io.watch;

/** The counters of a watch. */
final class WatchCounters {
  long passes;
  long scans;
  long polls;
  long hotPolls;
  long lookNanos;
}
