package dev.tailwater.cli.ship;

import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.status.StatusReport;
import java.time.Duration;

/** The progress of an agent on the terminal, while this is open. */
final class ShipProgress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  private final Agent agent;
  private final TerminalProgress progress;
  private final Thread thread = Thread.ofVirtual().name("progress").unstarted(this::draw);

  private ShipProgress(Agent agent, TerminalProgress progress) {
    this.agent = agent;
    this.progress = progress;
  }

  static ShipProgress show(Agent agent, TerminalProgress progress) {
    ShipProgress shown = new ShipProgress(agent, progress);
    if (progress.isVisible()) {
      shown.thread.start();
    }
    return shown;
  }

  private void draw() {
    try {
      while (true) {
        Thread.sleep(INTERVAL);
        StatusReport.Progress now = agent.status().progress();
        progress.at(now.deliveredBytes(), now.deliveredBytes() + now.atRiskBytes());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    progress.close();
  }
}
