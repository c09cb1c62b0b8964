package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.config.DestinationSetting;
import dev.tailwater.cli.config.NoticeSetting;
import dev.tailwater.cli.config.NoticeSettings;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.probe.UriTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of a rehearsal's agent: the user's, with other places. */
public final class RehearsalSettings {
  /** The name of the agent, which delivers to a folder of the rehearsal. */
  public static final String AGENT = "rehearsal";

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private RehearsalSettings() {}

  /**
   * Returns the user's settings with another agent, other files and folders of the destinations.
   * Notices come from a file, and no hooks are run.
   */
  public static ShipSettings of(
      ShipSettings user,
      RehearsalPaths places,
      String scene,
      String folder,
      Surroundings surroundings) {
    List<DestinationSetting> destinations =
        user.destinations().stream()
            .map(
                place ->
                    new DestinationSetting(
                        UriTarget.below(
                            DestinationText.parse(place.place(), surroundings),
                            folder + "/" + scene),
                        place.name(),
                        place.bestEffort(),
                        place.bandwidth()))
            .toList();
    return new ShipSettings.Builder(user)
        .set(ShipKey.AGENT, AGENT)
        .set(ShipKey.STATE, places.state(scene).toString())
        .sources(List.of(new SourceSetting(places.files(scene).toString(), List.of(), List.of())))
        .destinations(destinations)
        .keysInState()
        .notices(
            new NoticeSettings(
                List.of(new NoticeSetting.File(places.notice(scene).toString(), LOOK_EVERY)),
                Map.of()))
        .build();
  }
}
