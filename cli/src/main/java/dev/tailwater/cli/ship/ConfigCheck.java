package dev.tailwater.cli.ship;

import dev.tailwater.cli.config.PlaceCheck;
import dev.tailwater.cli.host.ContentKeys;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.SigningKeys;
import dev.tailwater.cli.host.StateDirectory;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.TrustFiles;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.Plugins;
import dev.tailwater.posix.PosixPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The check of the places of a configuration file as the start of an agent makes it. */
public final class ConfigCheck implements PlaceCheck {
  private final Surroundings surroundings;
  private final Plugins plugins;
  private final RealPaths realPaths = new RealPaths();
  private final SourceText sources;

  public ConfigCheck(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.plugins = PluginDirectories.of(surroundings);
    this.sources = new SourceText(surroundings);
  }

  @Override
  public void check(String place) throws PermanentDestinationException {
    Destinations.check(place, plugins);
  }

  @Override
  public boolean isSame(String one, String other) {
    try {
      return ShipPlan.isSame(
          DestinationText.parse(one, surroundings),
          DestinationText.parse(other, surroundings),
          realPaths);
    } catch (UserException e) {
      return one.equals(other); // What is wrong with it is said where it stands.
    }
  }

  @Override
  public void checkRecipient(String text) {
    try {
      var _ = ShipPlan.recipients(List.of(text), surroundings);
    } catch (UserException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public void checkContentKey(String path) {
    try {
      var _ = ContentKeys.read(path, surroundings);
    } catch (UserException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public void checkSigningKey(String path) {
    try {
      var _ = SigningKeys.read(path, surroundings);
    } catch (UserException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public void checkTrustedKeys(String path) {
    try {
      var _ = TrustFiles.readTrustedKeys(path, surroundings);
    } catch (UserException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public void checkSource(String path, List<String> destinations) {
    PosixPath root = sources.parse(path, List.of(), List.of()).root();
    for (String destination : destinations) {
      Optional<Path> own = localDirectory(destination);
      if (own.isPresent() && ShipPlan.liesIn(root, own.get(), realPaths)) {
        throw new IllegalArgumentException(
            path + " lies in the destination " + own.get() + ", where Tailwater itself writes");
      }
    }
  }

  @Override
  public void checkState(Optional<String> state, String destination) {
    Optional<Path> archive = localDirectory(destination);
    Optional<Path> directory = stateDirectory(state);
    if (archive.isPresent() && directory.isPresent()) {
      Optional<String> how = ShipPlan.nested(archive.get(), directory.get(), realPaths);
      if (how.isPresent()) {
        throw new IllegalArgumentException(how.get());
      }
    }
  }

  private Optional<Path> stateDirectory(Optional<String> given) {
    try {
      return Optional.of(StateDirectory.resolve(surroundings, given));
    } catch (UserException e) {
      return Optional.empty(); // Another machine, or --state, may have a place for it.
    }
  }

  private Optional<Path> localDirectory(String destination) {
    try {
      return ShipPlan.localDirectory(DestinationText.parse(destination, surroundings));
    } catch (UserException e) {
      return Optional.empty(); // What is wrong with it is said where it stands.
    }
  }
}
