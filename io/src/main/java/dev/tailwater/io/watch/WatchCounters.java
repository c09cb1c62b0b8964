package dev.tailwater.io.watch;

/** What a watch has done so far. */
final class WatchCounters {
  long passes;
  long events;
  long scans;
  long polls;
  long hotPolls;
  long lookNanos;
}
