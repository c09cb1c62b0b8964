package dev.tailwater.cli.ship;

import dev.tailwater.cli.config.NoticeSetting;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.notice.CloudEndpoints;
import dev.tailwater.delivery.notice.Detection;
import dev.tailwater.delivery.notice.MachineVendor;
import dev.tailwater.delivery.notice.NoticeListener;
import dev.tailwater.delivery.notice.NoticeSource;
import dev.tailwater.delivery.notice.NoticeSources;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.delivery.problem.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The sources of notices that the settings name. */
final class ConfiguredNotices {
  /** Whoever waits longer waits as long as it takes. */
  private static final Duration LONGEST_ANSWER = Duration.ofDays(1);

  private final NoticeSources sources;
  private final Surroundings surroundings;
  private final List<NoticeSetting> settings;

  /** The time that is left after a notice without a deadline. */
  private final Duration usual;

  /** Creates the sources; fails with a message for the user. */
  ConfiguredNotices(ShipPlan plan, Surroundings surroundings) {
    this.surroundings = surroundings;
    List<NoticeSetting> given = plan.settings().notices().sources();
    this.settings = given.isEmpty() ? List.of(new NoticeSetting.Auto()) : given;
    this.usual = plan.settings().drainDeadline();
    try {
      this.sources =
          new NoticeSources(
              CloudEndpoints.of(surroundings.environment()),
              InstantSource.system(),
              new MachineVendor());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          String.valueOf(e.getMessage()),
          "unset the variable, or switch notices off: --notices off");
    }
  }

  Notices start(Problems problems, NoticeListener listener) {
    List<NoticeSource> known = new ArrayList<>();
    settings.forEach(setting -> known.addAll(known(setting)));
    boolean ask = settings.stream().anyMatch(NoticeSetting.Auto.class::isInstance);
    return Notices.start(
        known,
        ask ? this::ofThisCloud : () -> Detection.NONE,
        problems,
        System::nanoTime,
        listener);
  }

  /** Returns the sources of this cloud; none if a cloud is named, since that is watched already. */
  private Detection ofThisCloud() throws InterruptedException {
    boolean named = settings.stream().anyMatch(NoticeSetting.Cloud.class::isInstance);
    return named ? Detection.NONE : sources.ofThisCloud();
  }

  /** Sockets count their milliseconds in an int. */
  private static Duration atMost(Duration limit) {
    return limit.compareTo(LONGEST_ANSWER) < 0 ? limit : LONGEST_ANSWER;
  }

  private List<NoticeSource> known(NoticeSetting setting) {
    return switch (setting) {
      case NoticeSetting.Auto auto -> List.of();
      case NoticeSetting.Off off -> List.of();
      case NoticeSetting.Cloud cloud ->
          switch (cloud.provider()) {
            case EC2 -> sources.ec2();
            case GCE -> sources.gce();
            case AZURE -> sources.azure(false);
            case AZURE_ACKNOWLEDGED -> sources.azure(true);
          };
      case NoticeSetting.File file ->
          List.of(sources.file(surroundings.absolute(file.path()), file.every(), usual));
      case NoticeSetting.Http http ->
          List.of(sources.http(http.uri(), http.every(), atMost(http.limit()), usual));
      case NoticeSetting.Command command ->
          List.of(sources.command(command.command(), command.every(), usual));
    };
  }
}
