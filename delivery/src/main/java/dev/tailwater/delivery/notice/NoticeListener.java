package dev.tailwater.delivery.notice;

/** Is told of notices on the sources' threads; must be quick and thread-safe. */
public interface NoticeListener {
  /** Called when a notice comes into force. */
  void heard(ActiveNotice heard);

  /** Called when a source no longer gives a notice, nor another of that kind instead. */
  void withdrawn(ActiveNotice heard);

  /** Called for a termination whose deadline has long passed: the machine has survived it. */
  void survived(String source, Notice notice);
}
