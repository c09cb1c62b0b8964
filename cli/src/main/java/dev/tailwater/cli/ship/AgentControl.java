package dev.tailwater.cli.ship;

import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.time.Duration;

/** The answers of an agent to requests over its control socket. */
final class AgentControl implements ControlHandler {
  private final Agent agent;
  private final Duration drainDeadline;
  private final Notices notices;
  private final Problems besides;

  /**
   * @param besides problems of those who work beside the agent
   */
  AgentControl(Agent agent, Duration drainDeadline, Notices notices, Problems besides) {
    this.agent = agent;
    this.drainDeadline = drainDeadline;
    this.notices = notices;
    this.besides = besides;
  }

  @Override
  public StatusReport status() {
    return agent
        .status()
        .withNotices(
            StatusReport.NoticeReport.of(
                notices.watched(), notices.reason(), notices.forecast(), System.nanoTime()),
            besides.open());
  }

  @Override
  public FileDelivery status(PosixPath path) throws IOException {
    return agent.status(path);
  }

  @Override
  public DrainReport drain() throws InterruptedException {
    return agent.drainAndGoOn(drainDeadline);
  }
}
