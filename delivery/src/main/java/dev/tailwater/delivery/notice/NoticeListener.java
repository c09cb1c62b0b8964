package dev.tailwater.delivery.notice;

/** Hears what sources say, on their threads; must be quick and thread-safe. */
public interface NoticeListener {
  /** Something new. */
  void heard(Heard heard);

  /** It holds no longer, and its source says nothing else instead. */
  void withdrawn(Heard heard);

  /** A termination whose deadline is long past: the machine has survived it. */
  void survived(String source, Notice notice);
}
