package dev.tailwater.cli.config;

import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.hook.HookMoment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The reader of {@code notices} and {@code hooks}: who announces the end of the machine, and what
 * is run then.
 */
final class NoticeNodes {
  /** The key of the hooks. */
  static final String HOOKS = "hooks";

  private static final String NOTICES = ShipKey.NOTICES.key();
  private static final Duration HOOK_LIMIT = Duration.ofSeconds(5);

  private final YamlNodes nodes;
  private final CommandNodes commands;
  private final UnaryOperator<String> placing;
  private final ShipSettings.Builder settings;

  /**
   * @param placing makes a path absolute
   */
  NoticeNodes(YamlNodes nodes, UnaryOperator<String> placing, ShipSettings.Builder settings) {
    this.nodes = nodes;
    this.commands = new CommandNodes(nodes);
    this.placing = placing;
    this.settings = settings;
  }

  /** Reads the value of {@code notices}. */
  void readNotices(Node node) {
    if (node instanceof MappingNode) {
      readNotice(node);
    } else {
      nodes.readItems(node, NOTICES, this::readNotice);
    }
  }

  private void readNotice(Node node) {
    try {
      if (node instanceof MappingNode) {
        readMap(node);
      } else {
        nodes.readText(node, NOTICES).ifPresent(text -> add(NoticeSetting.parse(text)));
      }
    } catch (IllegalArgumentException e) {
      nodes.problem(node, NOTICES + ": " + e.getMessage(), null);
    }
  }

  /** Adds a source, with its path made absolute. */
  private void add(NoticeSetting setting) {
    settings.notice(
        setting instanceof NoticeSetting.File file
            ? new NoticeSetting.File(placing.apply(file.path()), file.every())
            : setting);
  }

  private void readMap(Node node) {
    Duration limit = commands.duration(node, "limit", NoticeSetting.ASK_LIMIT);
    boolean isFile = YamlNodes.value(node, "file").isPresent();
    Duration every =
        commands.duration(
            node, "every", isFile ? NoticeSetting.FILE_EVERY : NoticeSetting.ASK_EVERY);
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    keys.put("every", value -> {});
    keys.put("limit", value -> {});
    keys.put(
        "file",
        value -> text(value, "file").ifPresent(path -> add(NoticeSetting.file(path, every))));
    keys.put(
        "http",
        value -> text(value, "http").ifPresent(uri -> add(NoticeSetting.http(uri, every, limit))));
    keys.put(
        "command",
        value ->
            commands
                .read(value, NOTICES + ".command", limit)
                .ifPresent(command -> add(new NoticeSetting.Command(command, every))));
    int problemsBefore = nodes.problems().size();
    nodes.readMap(node, keys);
    long named =
        Stream.of("file", "http", "command")
            .filter(key -> YamlNodes.value(node, key).isPresent())
            .count();
    if (named != 1 && nodes.problems().size() == problemsBefore) {
      nodes.problem(
          node, NOTICES + ": expected one of file, http and command", "file: /run/going-down");
    }
  }

  private Optional<String> text(Node node, String key) {
    return nodes.readText(node, NOTICES + "." + key);
  }

  /** Reads the value of {@code hooks}. */
  void readHooks(Node node) {
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    for (HookMoment moment : HookMoment.values()) {
      String key = "on_" + moment.word();
      keys.put(
          key, value -> readHook(value, key).ifPresent(command -> settings.hook(moment, command)));
    }
    nodes.readMap(node, keys);
  }

  private Optional<UserCommand> readHook(Node node, String key) {
    if (!(node instanceof MappingNode)) {
      return commands.read(node, key, HOOK_LIMIT);
    }
    Duration limit = commands.duration(node, "limit", HOOK_LIMIT);
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    keys.put("limit", value -> {});
    keys.put("command", value -> {});
    int problemsBefore = nodes.problems().size();
    nodes.readMap(node, keys);
    Optional<Node> command = YamlNodes.value(node, "command");
    if (command.isEmpty() && nodes.problems().size() == problemsBefore) {
      nodes.problem(node, key + ": a hook needs a command", "command: [systemctl, stop, web]");
    }
    return command.flatMap(value -> commands.read(value, key, limit));
  }
}
