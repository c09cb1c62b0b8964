package dev.tailwater.cli.config;

import dev.tailwater.cli.value.Bandwidths;
import dev.tailwater.cli.value.NearestWord;
import dev.tailwater.cli.value.Secrets;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The reader of destinations: each is a URI, or a map of its {@code uri}, settings for it, and the
 * options of its kind, which go into the URI's query.
 */
final class DestinationNodes {
  /** The key of a list of destinations. */
  static final String SEVERAL = "destinations";

  private static final List<String> OWN_KEYS = List.of("uri", "name", "best_effort", "bandwidth");

  private final YamlNodes nodes;
  private final UnaryOperator<String> placing;
  private final PlaceCheck check;
  private final List<DestinationSetting> found = new ArrayList<>();
  private final List<Read> read = new ArrayList<>();
  private int given;

  private record Read(Node node, String key, String place) {}

  /**
   * @param placing makes a path absolute and leaves a URI alone
   * @param check is asked about each destination that is of the right shape
   */
  DestinationNodes(YamlNodes nodes, UnaryOperator<String> placing, PlaceCheck check) {
    this.nodes = nodes;
    this.placing = placing;
    this.check = check;
  }

  /** Whether any key of the file was about destinations. */
  boolean isGiven() {
    return given > 0;
  }

  List<DestinationSetting> found() {
    return List.copyOf(found);
  }

  /** Checks the place of the state, when it is known. */
  void checkState(Optional<String> state) {
    for (Read one : read) {
      try {
        check.checkState(state, one.place());
      } catch (IllegalArgumentException e) {
        nodes.problem(one.node(), one.key() + ": " + e.getMessage(), "state: /var/lib/tailwater");
      }
    }
  }

  /** Reads the value of {@code destination}. */
  void readOne(Node node) {
    given(node);
    read(node, ShipKey.DESTINATION.key());
    requireOneRequired(node);
  }

  /** Reads the value of {@code destinations}. */
  void readSeveral(Node node) {
    given(node);
    int problemsBefore = nodes.problems().size();
    nodes.readItems(node, SEVERAL, item -> read(item, SEVERAL));
    if (found.isEmpty() && nodes.problems().size() == problemsBefore) {
      nodes.problem(node, "there is no destination", SEVERAL + ": [/mnt/archive]");
    }
    requireOneRequired(node);
  }

  private void given(Node node) {
    given++;
    if (given > 1) {
      nodes.problem(
          node, "both 'destination' and '" + SEVERAL + "' are given", "put all into the list");
    }
  }

  private void requireOneRequired(Node node) {
    if (!found.isEmpty() && found.stream().allMatch(DestinationSetting::bestEffort)) {
      nodes.problem(
          node,
          "no destination is required",
          "leave out 'best_effort' at one of them: bytes are at risk until they are there");
    }
  }

  private void read(Node node, String key) {
    Optional<DestinationSetting> setting =
        node instanceof MappingNode ? ofMap(node, key) : ofText(node, key);
    setting.ifPresent(
        destination -> {
          for (DestinationSetting other : found) {
            String label = "'" + Secrets.mask(destination.label()) + "'";
            if (other.label().equals(destination.label())) {
              nodes.problem(node, key + ": " + label + " is given twice", null);
              return;
            }
            if (check.isSame(other.place(), destination.place())) {
              nodes.problem(
                  node,
                  key
                      + ": "
                      + label
                      + " is the same place as '"
                      + Secrets.mask(other.label())
                      + "'",
                  "name each place once");
              return;
            }
          }
          found.add(destination);
          read.add(new Read(node, key, destination.place()));
          look(node, key, destination.place());
        });
  }

  private void look(Node node, String key, String place) {
    try {
      check.check(place);
    } catch (UnknownDestinationException e) {
      // The place of the option, if it is in the map and not in the URI.
      Optional<Node> at = e.option().flatMap(option -> YamlNodes.keyNode(node, option));
      nodes.problem(at.orElse(node), key + ": " + e.reason(), e.hint());
    } catch (PermanentDestinationException e) {
      nodes.problem(node, key + ": " + e.reason(), e.hint());
    }
  }

  private Optional<DestinationSetting> ofText(Node node, String key) {
    return nodes
        .readText(node, key)
        .flatMap(text -> value(node, key, text, t -> ValueChecks.notEmpty(placing.apply(t))))
        .map(DestinationSetting::required);
  }

  private Optional<DestinationSetting> ofMap(Node node, String key) {
    int problemsBefore = nodes.problems().size();
    Map<String, String> texts = nodes.readTextMap(node, key);
    Optional<String> uri = Optional.ofNullable(texts.remove("uri"));
    Optional<String> name =
        Optional.ofNullable(texts.remove("name"))
            .flatMap(text -> value(node, key + ".name", text, ValueChecks::destinationName));
    boolean bestEffort =
        Optional.ofNullable(texts.remove("best_effort"))
            .flatMap(text -> value(node, key + ".best_effort", text, ValueChecks::isTrue))
            .orElse(false);
    Optional<Bandwidth> bandwidth =
        Optional.ofNullable(texts.remove("bandwidth"))
            .flatMap(text -> value(node, key + ".bandwidth", text, Bandwidths::parse));
    if (nodes.problems().size() > problemsBefore) {
      return Optional.empty();
    }
    if (uri.isEmpty()) {
      nodes.problem(node, "a destination needs a uri", "uri: s3://bucket/prefix");
      return Optional.empty();
    }
    if (!texts.isEmpty() && isDirectory(uri.get())) {
      texts.keySet().forEach(unknown -> unknownKey(node, key, unknown));
      return Optional.empty();
    }
    return value(
            node, key, withQuery(uri.get(), texts), t -> ValueChecks.notEmpty(placing.apply(t)))
        .map(place -> new DestinationSetting(place, name, bestEffort, bandwidth));
  }

  /** A directory has no options; they would become a part of its name. */
  private static boolean isDirectory(String uri) {
    return !ValueChecks.isUri(uri) || uri.startsWith("file:");
  }

  private void unknownKey(Node node, String key, String unknown) {
    String hint =
        NearestWord.to(unknown, OWN_KEYS)
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse("of a directory, the known keys are " + String.join(", ", OWN_KEYS));
    nodes.problem(node, key + ": unknown key '" + unknown + "'", hint);
  }

  private <T> Optional<T> value(Node node, String key, String text, Function<String, T> check) {
    try {
      return Optional.of(check.apply(text));
    } catch (IllegalArgumentException e) {
      nodes.problem(node, key + ": " + e.getMessage(), null);
      return Optional.empty();
    }
  }

  private static String withQuery(String uri, Map<String, String> options) {
    StringBuilder text = new StringBuilder(uri);
    options.forEach(
        (key, value) ->
            text.append(text.indexOf("?") < 0 ? '?' : '&')
                .append(URLEncoder.encode(key.replace('_', '-'), StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20")));
    return text.toString();
  }
}
