package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.notice.ActiveNotice;
import dev.tailwater.delivery.notice.Notice;
import dev.tailwater.delivery.notice.NoticeListener;
import java.time.Duration;
import java.util.Optional;

/**
 * A listener that logs notices with their source and the time left, and then calls the next one.
 */
final class NoticePrinter implements NoticeListener {
  private final Surroundings surroundings;
  private final Runnable next;

  NoticePrinter(Surroundings surroundings, Runnable next) {
    this.surroundings = surroundings;
    this.next = next;
  }

  @Override
  public void heard(ActiveNotice heard) {
    Optional<Duration> left = heard.left(System.nanoTime());
    String time = left.map(t -> ", " + Math.round(t.toMillis() / 1000.0) + " s left").orElse("");
    String what =
        switch (heard.notice().kind()) {
          case TERMINATION -> "this machine goes away";
          case RISK -> "this machine may go away, delivering sooner";
          case PAUSE -> "this machine will stand still, delivering now";
        };
    say("notice from " + inWords(heard) + ": " + what + time);
    next.run();
  }

  @Override
  public void withdrawn(ActiveNotice heard) {
    say("notice is withdrawn: " + inWords(heard));
    next.run();
  }

  @Override
  public void survived(String source, Notice notice) {
    say("notice of the past is ignored: " + source + " (" + notice.text() + ")");
  }

  /** Returns source and text of a notice. */
  static String inWords(ActiveNotice heard) {
    return heard.source() + " (" + heard.notice().text() + ")";
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.sentence(message));
  }
}
