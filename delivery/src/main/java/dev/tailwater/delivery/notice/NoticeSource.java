package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A source of notices that this machine will go away. Used by one thread at a time. */
public interface NoticeSource {
  /** Returns its name for messages, such as {@code ec2} or {@code file:/run/going-down}. */
  String name();

  /** Returns how long to wait before it is asked again. */
  Duration pause();

  /**
   * Returns all notices in force; an earlier one that is missing is no longer in force. May block
   * until something changes, on a thread that can be interrupted.
   *
   * @throws IOException when there is no answer, or none that can be understood; earlier notices
   *     stay in force then
   */
  List<Notice> ask() throws IOException, InterruptedException;

  /**
   * Called when nothing is at risk while one of its notices of a termination is in force, on a
   * thread of its own.
   *
   * @param ended whether reading has stopped for good; otherwise programs may write more
   */
  default void safe(boolean ended) throws IOException, InterruptedException {}
}
