package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Somebody who may know that this machine goes away. Asked by one thread at a time. */
public interface NoticeSource {
  /** For messages: {@code ec2}, {@code file:/run/going-down}. */
  String name();

  /** How long to wait before it is asked again. */
  Duration pause();

  /**
   * All notices that hold now; none that was said before and is missing here holds any longer. May
   * block until something changes, on a thread that can be interrupted.
   *
   * @throws IOException when there is no answer, or none that can be understood; what was said
   *     before still holds then
   */
  List<Notice> ask() throws IOException, InterruptedException;

  /**
   * Hears that nothing is at risk, while one of its notices of a termination holds. Called on a
   * thread of its own.
   *
   * @param ended whether reading has stopped for ever; otherwise programs may write more
   */
  default void safe(boolean ended) throws IOException, InterruptedException {}
}
