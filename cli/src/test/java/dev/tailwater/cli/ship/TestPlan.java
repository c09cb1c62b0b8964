package dev.tailwater.cli.ship;

import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.posix.PosixPath;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The plan of an agent that delivers one directory to one destination. */
final class TestPlan {
  private TestPlan() {}

  /**
   * Returns the plan.
   *
   * @param base has the directory {@code logs}, and gets {@code state}
   */
  static ShipPlan of(Path base, URI archive, ShipSettings settings) {
    Path state = base.resolve("state");
    Source logs = new Source(PosixPath.of(base.resolve("logs")), List.of(), List.of());
    return new ShipPlan(
        settings,
        AgentConfig.of("web-1", List.of(logs), PosixPath.of(state)),
        List.of(new ShipPlan.Target(archive, Optional.empty(), true, Bandwidth.UNLIMITED)),
        state);
  }
}
