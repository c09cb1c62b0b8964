package dev.tailwater.cli.config;

import dev.tailwater.archive.age.Recipient;
import dev.tailwater.cli.value.HomePath;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.SourceGlob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The reader of a configuration file (YAML 1.2). It finds every problem, not only the first.
 *
 * <p>Works on the nodes of the document instead of on objects made from them, since only nodes know
 * their lines.
 */
public final class ConfigFile {
  private static final String SOURCES = "sources";

  private final ShipSettings.Builder settings = new ShipSettings.Builder();
  private final YamlNodes nodes = new YamlNodes();
  private final DestinationNodes destinations;
  private final NoticeNodes notices;
  private final Path directory;
  private final PlaceCheck check;
  private final Map<Node, String> sources = new LinkedHashMap<>();

  private ConfigFile(Path directory, PlaceCheck check) {
    this.directory = directory;
    this.check = check;
    this.destinations = new DestinationNodes(nodes, this::place, check);
    this.notices = new NoticeNodes(nodes, this::place, settings);
  }

  /**
   * What was read.
   *
   * @param settings complete only if there are no problems
   * @param problems in the order of the file
   */
  public record Result(ShipSettings.Builder settings, List<ConfigProblem> problems) {}

  /**
   * Reads a whole configuration file.
   *
   * @param directory where relative paths in it begin: that of the file
   */
  public static Result read(String yaml, Path directory) {
    return read(yaml, directory, place -> {});
  }

  /** Reads a whole configuration file, and checks the places that it names. */
  public static Result read(String yaml, Path directory, PlaceCheck check) {
    ConfigFile file = new ConfigFile(directory, check);
    try {
      Optional<Node> root =
          ShallowParser.compose(LoadSettings.builder().setSchema(new CoreSchema()).build(), yaml);
      if (root.isEmpty()) {
        file.nodes.problem(1, 1, "the file says nothing", "it needs sources and a destination");
      } else {
        file.readRoot(root.get());
      }
    } catch (MarkedYamlEngineException e) {
      file.nodes.notYaml(e);
    } catch (YamlEngineException e) {
      file.nodes.problem(1, 1, "not YAML: " + e.getMessage(), "keys and values, 'key: value'");
    }
    return new Result(file.settings, file.nodes.problems());
  }

  private void readRoot(Node root) {
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    for (ShipKey key : ShipKey.values()) {
      keys.put(key.key(), node -> readKey(key, node));
    }
    keys.put(SOURCES, this::readSources);
    keys.put(ShipKey.NEIGHBOUR.key(), new NeighbourNodes(nodes, settings::neighbour)::read);
    keys.put(ShipKey.DESTINATION.key(), destinations::readOne);
    keys.put(DestinationNodes.SEVERAL, destinations::readSeveral);
    keys.put(ShipKey.NOTICES.key(), notices::readNotices);
    keys.put(NoticeNodes.HOOKS, notices::readHooks);
    if (!nodes.readMap(root, keys)) {
      return;
    }
    settings.destinations(destinations.found());
    checkSources();
    destinations.checkState(settings.build().state());
    settings
        .contradiction()
        .ifPresent(
            both ->
                nodes.problem(
                    YamlNodes.keyNode(root, both.key().key()).orElse(root),
                    both.message(),
                    both.hint()));
    if (!settings.hasSources() && nodes.problems().isEmpty()) {
      nodes.problem(root, "there are no sources", "sources: [/var/log/app]");
    }
    if (!destinations.isGiven() && nodes.problems().isEmpty()) {
      nodes.problem(root, "there is no destination", "destination: /mnt/archive");
    }
  }

  /** Checks the sources, when all destinations are known. */
  private void checkSources() {
    List<String> places = destinations.found().stream().map(DestinationSetting::place).toList();
    sources.forEach(
        (node, path) -> {
          try {
            check.checkSource(path, places);
          } catch (IllegalArgumentException e) {
            nodes.problem(node, SOURCES + ": " + e.getMessage(), null);
          }
        });
  }

  private void readKey(ShipKey key, Node node) {
    if (key == ShipKey.MAX_AT_RISK && node instanceof MappingNode) {
      new BoundNodes(nodes).read(node, key.key()).ifPresent(text -> apply(key, node, text));
    } else if (key == ShipKey.ENCRYPT_TO
        && node instanceof SequenceNode list
        && list.getValue().isEmpty()) {
      // Whoever gives the key means to encrypt: a template whose list of keys is empty, say.
      nodes.problem(
          node, key.key() + ": no value is given", "without the key nothing is encrypted");
    } else if (key.isList()) {
      nodes.readTexts(node, key.key(), (item, text) -> apply(key, item, text));
    } else {
      nodes.readText(node, key.key()).ifPresent(text -> apply(key, node, text));
    }
  }

  private void apply(ShipKey key, Node node, String text) {
    try {
      String value = key.isPlace() ? place(text) : text;
      settings.set(key, value);
      if (key == ShipKey.ENCRYPT_TO) {
        check.checkRecipient(value);
      } else if (key == ShipKey.CONTENT_CHECK_KEY_FILE) {
        check.checkContentKey(value);
      } else if (key == ShipKey.SIGNING_KEY_FILE) {
        check.checkSigningKey(value);
      } else if (key == ShipKey.TRUSTED_KEYS) {
        check.checkTrustedKeys(value);
      }
    } catch (IllegalArgumentException e) {
      nodes.problem(node, key.key() + ": " + e.getMessage(), null);
    }
  }

  private void readSources(Node node) {
    nodes.readItems(node, SOURCES, this::readSource);
  }

  private void readSource(Node node) {
    if (node instanceof ScalarNode) {
      readPath(node, SOURCES)
          .ifPresent(path -> addSource(node, new SourceSetting(place(path), List.of(), List.of())));
      return;
    }
    List<String> paths = new ArrayList<>();
    List<String> include = new ArrayList<>();
    List<String> exclude = new ArrayList<>();
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    keys.put("path", value -> readPath(value, "path").ifPresent(paths::add));
    keys.put("include", value -> readGlobs(value, "include", include));
    keys.put("exclude", value -> readGlobs(value, "exclude", exclude));
    List<String> as = new ArrayList<>();
    List<CutAt> cutAt = new ArrayList<>();
    keys.put(
        "cut_at",
        value -> nodes.readText(value, "cut_at").ifPresent(text -> readCutAt(value, text, cutAt)));
    keys.put("as", value -> nodes.readText(value, "as").ifPresent(text -> readAs(value, text, as)));
    int problemsBefore = nodes.problems().size();
    if (!nodes.readMap(node, keys)) {
      return;
    }
    if (!paths.isEmpty()) {
      addSource(
          node,
          new SourceSetting(
              place(paths.getFirst()),
              include,
              exclude,
              as.stream().findFirst(),
              cutAt.stream().findFirst().orElse(CutAt.ANYWHERE),
              false));
    } else if (nodes.problems().size() == problemsBefore) {
      nodes.problem(node, "a source needs a path", "path: /var/log/app");
    }
  }

  private Optional<String> readPath(Node node, String key) {
    Optional<String> text = nodes.readText(node, key);
    if (text.isPresent() && text.get().isBlank()) {
      nodes.problem(node, key + ": expected a path, not an empty text", "path: /var/log/app");
      return Optional.empty();
    }
    if (text.isPresent() && text.get().indexOf('\0') >= 0) {
      nodes.problem(node, key + ": no path has a NUL character", "path: /var/log/app");
      return Optional.empty();
    }
    if (text.isPresent() && HomePath.isMeant(text.get())) {
      nodes.problem(node, key + ": " + HomePath.message(text.get()), HomePath.hint(text.get()));
      return Optional.empty();
    }
    return text;
  }

  private void readGlobs(Node node, String key, List<String> globs) {
    nodes.readTexts(
        node,
        key,
        (item, text) -> {
          try {
            globs.add(SourceGlob.require(text));
          } catch (IllegalArgumentException e) {
            nodes.problem(item, key + ": " + e.getMessage(), key + ": ['*.log']");
          }
        });
  }

  private void addSource(Node node, SourceSetting source) {
    sources.put(node, source.path());
    settings.source(source);
  }

  private void readAs(Node node, String text, List<String> as) {
    try {
      as.add(ValueChecks.absolutePath(text));
    } catch (IllegalArgumentException e) {
      nodes.problem(node, "as: " + e.getMessage(), "as: /var/log/app");
    }
  }

  private void readCutAt(Node node, String text, List<CutAt> cutAt) {
    try {
      cutAt.add(SourceSetting.parseCutAt(text));
    } catch (IllegalArgumentException e) {
      nodes.problem(node, "cut_at: " + e.getMessage(), "cut_at: newline");
    }
  }

  private String place(String text) {
    boolean isPath = !text.isBlank() && !Recipient.isMeant(text) && !ValueChecks.isUri(text);
    if (HomePath.isMeant(text)) {
      throw new IllegalArgumentException(HomePath.message(text) + ". Hint: " + HomePath.hint(text));
    }
    return isPath ? directory.resolve(text).normalize().toString() : text;
  }
}
