package dev.tailwater.cli.ship;

import dev.tailwater.archive.age.Recipient;
import dev.tailwater.cli.config.DestinationSetting;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.AgentName;
import dev.tailwater.cli.host.ContentKeys;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.RecipientTexts;
import dev.tailwater.cli.host.SigningKeys;
import dev.tailwater.cli.host.StateDirectory;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.TrustFiles;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Secrets;
import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plan of an agent on this machine: its settings, and what they mean here.
 *
 * @param settings as the user gave them
 * @param config for the engine, with names, places and keys resolved
 * @param destinations one or more, at least one of them required
 * @param stateDirectory absolute
 */
public record ShipPlan(
    ShipSettings settings, AgentConfig config, List<Target> destinations, Path stateDirectory) {

  /**
   * One place to ship to.
   *
   * @param uri absolute
   * @param name for reports; empty: the URI
   */
  public record Target(URI uri, Optional<String> name, boolean required, Bandwidth bandwidth) {}

  /**
   * Returns the configuration of the engine for these destinations. All get the longest age that
   * one recommends, so that they stay in step and one sealing serves them all.
   */
  AgentConfig configFor(List<AgentDestination> open) {
    Duration maxAge = settings.maxAge().orElseGet(() -> longestRecommended(open));
    return config.toBuilder().maxAge(maxAge).build();
  }

  private static Duration longestRecommended(List<AgentDestination> open) {
    return Duration.ofMillis(
        open.stream()
            .mapToLong(one -> one.destination().capabilities().recommendedMaxAgeMillis())
            .max()
            .orElseThrow());
  }

  /** Resolves names, places and keys of the settings; fails with a message for the user. */
  public static ShipPlan of(ShipSettings settings, Surroundings surroundings) throws IOException {
    if (settings.sources().isEmpty()) {
      throw UserException.usage("there is nothing to ship", "tailwater ship SOURCE... DESTINATION");
    }
    String agent = settings.agent().isPresent() ? settings.agent().get() : AgentName.ofHost();
    Path state = StateDirectory.resolve(surroundings, settings.state());
    RealPaths realPaths = new RealPaths();
    List<Target> destinations = destinations(settings, surroundings, realPaths);
    List<PosixPath> ownPlaces = new ArrayList<>();
    ownPlaces.add(PosixPath.of(state));
    for (Target target : destinations) {
      Optional<Path> directory = localDirectory(target.uri());
      directory.ifPresent(archive -> requireApart(archive, state, realPaths));
      directory.map(PosixPath::of).ifPresent(ownPlaces::add);
    }
    List<Source> sources = sources(settings, surroundings, ownPlaces, realPaths);
    ownPlaces.addAll(ownPlacesBehindLinks(sources, ownPlaces, realPaths));
    new SourcesBehindLinks(sources, realPaths).report(surroundings.err());
    AgentConfig config =
        AgentConfig.builder(agent, sources, PosixPath.of(state))
            .ownPlaces(ownPlaces)
            .foreignHardLinks(settings.foreignHardLinks())
            .directories(settings.directories() || settings.extendedAttributes())
            .extendedAttributes(settings.extendedAttributes())
            .reconcile(settings.reconcile())
            .goneGrace(settings.deletedGrace())
            .codec(settings.compress())
            .recipients(recipients(settings.encryptTo(), surroundings))
            .segmentBytes(Math.toIntExact(settings.segmentSizeBytes()))
            .mergeToBytes(settings.mergeToBytes())
            .keepRevisions(settings.keepRevisions())
            .maxAtRisk(settings.maxAtRisk())
            .workers(settings.workers())
            .contentCheck(contentCheck(settings, surroundings))
            .signing(signing(settings, surroundings))
            .packs(settings.packs())
            .neighbour(settings.neighbour())
            .build();
    return new ShipPlan(settings, config, destinations, state);
  }

  private static List<Target> destinations(
      ShipSettings settings, Surroundings surroundings, RealPaths realPaths) {
    if (settings.destinations().isEmpty()) {
      throw UserException.usage("there is no destination", "tailwater ship SOURCE... DESTINATION");
    }
    List<Target> targets = new ArrayList<>();
    for (DestinationSetting setting : settings.destinations()) {
      URI uri = DestinationText.parse(setting.place(), surroundings);
      for (Target other : targets) {
        if (isSame(other.uri(), uri, realPaths)) {
          throw sameTwice(setting.place());
        }
      }
      targets.add(
          new Target(
              uri,
              setting.name(),
              !setting.bestEffort(),
              setting.bandwidth().or(settings::bandwidth).orElse(Bandwidth.UNLIMITED)));
    }
    return targets;
  }

  /** Whether two destinations are one place, by their names or with links resolved. */
  static boolean isSame(URI one, URI other, RealPaths realPaths) {
    Optional<Path> first = localDirectory(one);
    Optional<Path> second = localDirectory(other);
    if (first.isPresent() && second.isPresent()) {
      return realPaths.of(first.get()).equals(realPaths.of(second.get()));
    }
    return one.equals(other);
  }

  /** Refuses a destination given twice: it would get everything twice, and count as two. */
  static UserException sameTwice(String place) {
    return UserException.usage(
        "destination " + Secrets.mask(place) + " is given twice", "name each place once");
  }

  private static void requireApart(Path archive, Path state, RealPaths realPaths) {
    nested(archive, state, realPaths)
        .ifPresent(
            how -> {
              throw UserException.usage(how, "keep the state elsewhere: --state DIR");
            });
  }

  /**
   * Says how a destination and the state lie in each other; empty if they do not. Who reads the
   * archive would read the private keys, who removes the state would remove the archive, and an
   * agent may have the name of a directory of the state.
   */
  static Optional<String> nested(Path archive, Path state, RealPaths realPaths) {
    if (realPaths.leadInto(PosixPath.of(archive), state)) {
      return Optional.of(
          "the destination " + archive + " is or lies in the state directory " + state);
    }
    return realPaths.leadInto(PosixPath.of(state), archive)
        ? Optional.of("the state directory " + state + " lies in the destination " + archive)
        : Optional.empty();
  }

  private static List<Source> sources(
      ShipSettings settings,
      Surroundings surroundings,
      List<PosixPath> ownPlaces,
      RealPaths realPaths) {
    SourceText texts = new SourceText(surroundings);
    List<Source> sources = new ArrayList<>();
    SourceLinks links = new SourceLinks(LinuxFileCalls.create());
    Map<String, PosixPath> configured = new LinkedHashMap<>();
    for (SourceSetting setting : settings.sources()) {
      Source parsed = texts.read(setting);
      Source source =
          setting.as().map(as -> archivedAs(parsed, as)).orElse(parsed).cutAt(setting.cutAt());
      for (PosixPath own : ownPlaces) {
        if (liesIn(source.root(), own.toPath(), realPaths)) {
          throw UserException.usage(
              "source " + setting.path() + " lies in " + own + ", where Tailwater itself writes",
              "ship another directory, or move the state or the destination");
        }
      }
      if (setting.typed()) {
        links.check(setting.path(), source.root());
      } else {
        configured.put(setting.path(), source.root());
      }
      sources.add(source);
    }
    links.checkConfigured(configured);
    return sources;
  }

  /**
   * Whether a source lies in a directory, by the paths as given or with their links resolved, or
   * through a mount of the directory at another place.
   */
  static boolean liesIn(PosixPath source, Path own, RealPaths realPaths) {
    return source.startsWith(PosixPath.of(own)) || realPaths.leadInto(source, own);
  }

  private static Source archivedAs(Source source, String as) {
    return source.archivedAs(PosixPath.of(Path.of(as).normalize()));
  }

  /** Returns the paths of these directories below sources that are reached through links. */
  private static List<PosixPath> ownPlacesBehindLinks(
      List<Source> sources, List<PosixPath> ownPlaces, RealPaths realPaths) {
    List<PosixPath> names = new ArrayList<>();
    for (Source source : sources) {
      Path realRoot = realPaths.of(source.root());
      if (realRoot.toString().contains(Surroundings.REPLACEMENT)) {
        continue; // Another directory may seem to be the same; the agent knows its own when open.
      }
      for (PosixPath own : ownPlaces) {
        Path realOwn = realPaths.of(own.toPath());
        if (realOwn.startsWith(realRoot)) {
          Path below = realRoot.relativize(realOwn);
          names.add(
              below.toString().isEmpty()
                  ? source.root()
                  : source.root().resolve(PosixPath.of(below)));
        }
      }
    }
    return names;
  }

  static Optional<Path> localDirectory(URI destination) {
    // A path that is not valid on this machine is refused, with the reason, when it is opened.
    return Optional.ofNullable(destination.getPath())
        .filter(path -> "file".equals(destination.getScheme()) && path.indexOf('\0') < 0)
        .map(Path::of);
  }

  private static ContentCheck contentCheck(ShipSettings settings, Surroundings surroundings) {
    if (!settings.contentCheck()) {
      return ContentCheck.OFF;
    }
    return settings
        .contentCheckKeyFile()
        .map(file -> ContentCheck.with(ContentKeys.read(file, surroundings)))
        .orElse(ContentCheck.WITH_KEY_IN_STATE);
  }

  private static Signing signing(ShipSettings settings, Surroundings surroundings) {
    if (!settings.signing()) {
      return Signing.OFF;
    }
    Signing signing =
        settings
            .signingKeyFile()
            .map(file -> Signing.with(SigningKeys.read(file, surroundings)))
            .orElse(Signing.WITH_KEY_IN_STATE);
    return settings
        .trustedKeys()
        .map(file -> TrustFiles.readTrustedKeys(file, surroundings))
        .map(signing::trusting)
        .orElse(signing);
  }

  static List<Recipient> recipients(List<String> texts, Surroundings surroundings) {
    return RecipientTexts.read("encrypt-to", texts, surroundings);
  }
}
