package dev.tailwater.cli.ship;

import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.FileDelivery;
import dev.tailwater.delivery.StatusReport;
import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.time.Duration;

/** What others on this machine may ask of the agent. */
final class AgentControl implements ControlHandler {
  private final Agent agent;
  private final Duration drainDeadline;
  private final Notices notices;

  AgentControl(Agent agent, Duration drainDeadline, Notices notices) {
    this.agent = agent;
    this.drainDeadline = drainDeadline;
    this.notices = notices;
  }

  @Override
  public StatusReport status() {
    return agent
        .status()
        .withNotices(
            StatusReport.Noticing.of(notices.watched(), notices.outlook(), System.nanoTime()));
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
