package dev.tailwater.delivery.notice;

/** Hears what sources say, on their threads; must be quick and thread-safe. */
public interface NoticeListener {
  /** Something new. */
  void heard(ActiveNotice heard);

  /** It holds no longer, and its source says nothing else instead. */
  void withdrawn(ActiveNotice heard);

  /** A termination whose deadline is long past: the machine has survived it. */
  void survived(String source, Notice notice);
}
