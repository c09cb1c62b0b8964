package dev.tailwater.cli.schema;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.report.Json;
import dev.tailwater.delivery.hook.HookMoment;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema (draft 7, which all editors know) of the configuration file. Keys, descriptions
 * and defaults come from {@link ShipKey}.
 *
 * <p>It accepts every file that {@code tailwater check} accepts. It cannot say whether a file or
 * plug-in exists, whether two settings fit together that are texts, how a number was written, or
 * that one is too large to be read.
 */
public final class ConfigSchema {
  private static final String NAME = "[A-Za-z0-9._-]{1,64}";
  private static final String NAME_EXPECTED = "1 to 64 of A-Z a-z 0-9 . _ -";
  private static final String HOOKS = "hooks";
  private static final String SOURCES = "sources";
  private static final String DESTINATIONS = "destinations";

  private ConfigSchema() {}

  /** Writes the schema as indented JSON. */
  public static void write(OutputStream out) throws IOException {
    Json.object(out, root()::writeFields);
  }

  private static SchemaNode root() {
    Map<String, SchemaNode> keys = new LinkedHashMap<>();
    keys.put(SOURCES, sources());
    for (ShipKey key : ShipKey.values()) {
      keys.put(key.key(), described(key));
      if (key == ShipKey.DESTINATION) {
        keys.put(DESTINATIONS, destinations());
      } else if (key == ShipKey.NOTICES) {
        keys.put(HOOKS, hooks());
      }
    }
    return SchemaNode.of("$schema", "http://json-schema.org/draft-07/schema#")
        .with("title", "Tailwater configuration")
        .with(
            "$comment", "Printed by 'tailwater schema'; made from the program's own table of keys.")
        .with("description", "Settings of one agent, for 'tailwater ship --config FILE'.")
        .with("type", "object")
        .with("required", List.of(SOURCES))
        .with(
            "oneOf",
            List.of(
                SchemaNode.required(ShipKey.DESTINATION.key()), SchemaNode.required(DESTINATIONS)))
        .with(
            "not",
            SchemaNode.anyOf(
                keyWithout(ShipKey.CONTENT_CHECK_KEY_FILE, ShipKey.CONTENT_CHECK),
                keyWithout(ShipKey.SIGNING_KEY_FILE, ShipKey.SIGNING),
                keyWithout(ShipKey.TRUSTED_KEYS, ShipKey.SIGNING)))
        .with("additionalProperties", false)
        .with("properties", SchemaNode.properties(keys));
  }

  /** Matches a file that names a key and turns off what it is for. */
  private static SchemaNode keyWithout(ShipKey keyFile, ShipKey use) {
    return SchemaNode.required(keyFile.key(), use.key())
        .with("properties", SchemaNode.of(use.key(), SchemaNode.of("const", "off")));
  }

  private static SchemaNode described(ShipKey key) {
    SchemaNode value = key.isList() ? listOf(key) : value(key);
    String description = key.meaning() + " Default: " + key.standardForPeople() + ".";
    return key.standard()
        .filter(text -> key != ShipKey.WORKERS)
        .map(text -> value.with("default", text))
        .orElse(value)
        .describedAs(description);
  }

  private static SchemaNode listOf(ShipKey key) {
    SchemaNode item = value(key);
    if (key != ShipKey.NOTICES) {
      return SchemaNode.anyOf(item, SchemaNode.listOf(item).with("minItems", 1));
    }
    SchemaNode off = SchemaNode.of("const", "off");
    return SchemaNode.anyOf(
        item,
        SchemaNode.listOf(item)
            .with("if", SchemaNode.of("contains", off))
            .with("then", SchemaNode.of("items", off)));
  }

  /** Returns the schema of one value of a key; a key that is added needs a line here. */
  private static SchemaNode value(ShipKey key) {
    return switch (key) {
      case AGENT -> ValueSchemas.scalar("(?!\\.)" + NAME, NAME_EXPECTED + ", and no dot first");
      case STATE, CONTENT_CHECK_KEY_FILE, SIGNING_KEY_FILE, TRUSTED_KEYS -> ValueSchemas.text();
      case DESTINATION ->
          SchemaNode.anyOf(ValueSchemas.text(), destinationMap().with("not", bestEffort()));
      case BANDWIDTH -> ValueSchemas.bandwidth();
      case COMPRESS -> ValueSchemas.text(ValuePatterns.codec(), "zstd:1, gzip:6 or store");
      case ENCRYPT_TO -> ValueSchemas.recipient();
      case CONTENT_CHECK, SIGNING -> ValueSchemas.word("on", "off");
      case PACKS -> ValueSchemas.word("auto", "on", "off");
      case MAX_AT_RISK -> bound();
      case MAX_AGE -> ValueSchemas.duration(10);
      case SEGMENT_SIZE -> ValueSchemas.size(1 << 20, 64 << 20);
      case MERGE_TO -> ValueSchemas.sizeOrOff(64 << 10, 1 << 30);
      case KEEP_REVISIONS ->
          ValueSchemas.text(
              "(?:all|none|" + ValuePatterns.duration(0) + ")",
              "all, none or a duration such as 12h or 7d");
      case DRAIN_DEADLINE, DELETED_GRACE -> ValueSchemas.duration(0);
      case NOTICES ->
          SchemaNode.anyOf(
              ValueSchemas.text(
                  ValuePatterns.notice(),
                  "auto, off, ec2, gce, azure, file:PATH, http://HOST/PATH or command:LINE"),
              noticeMap());
      case WORKERS -> ValueSchemas.count(1, 64, NumberPattern.between(1, 64)).with("default", 1);
      case NEIGHBOUR ->
          SchemaNode.anyOf(
              ValueSchemas.text(
                  ValuePatterns.neighbour(), "off, or settings such as nice=10,cpu-limit=50%"),
              neighbour());
      case RECONCILE -> ValueSchemas.duration(100);
      case FOREIGN_HARD_LINKS -> ValueSchemas.word("skip", "ship");
      case DIRECTORIES, EXTENDED_ATTRIBUTES -> ValueSchemas.word("on", "off");
    };
  }

  private static SchemaNode bound() {
    Map<String, SchemaNode> parts = new LinkedHashMap<>();
    parts.put("bytes", ValueSchemas.size(1 << 20).describedAs("How many bytes."));
    parts.put("age", ValueSchemas.duration(100).describedAs("For how long."));
    return SchemaNode.anyOf(
        ValueSchemas.text(
            ValuePatterns.bound(1 << 20, 100),
            "a size and a duration, such as 64MiB,5s, or one of them"),
        SchemaNode.object(parts).with("minProperties", 1));
  }

  private static SchemaNode sources() {
    Map<String, SchemaNode> keys = new LinkedHashMap<>();
    keys.put(
        "path",
        ValueSchemas.text()
            .describedAs("A directory with everything below it, a file, or a glob."));
    keys.put("include", globs("Ship only files that match. Default: all files."));
    keys.put("exclude", globs("Leave out files and directories that match. Default: nothing."));
    keys.put(
        "as",
        ValueSchemas.text("/[\\s\\S]*", "an absolute path")
            .describedAs("The absolute path that it has in the archive. Default: its own path."));
    keys.put(
        "cut_at",
        ValueSchemas.word("anywhere", "newline")
            .with("default", "anywhere")
            .describedAs("Where segments of its files may end."));
    SchemaNode item =
        SchemaNode.anyOf(
            ValueSchemas.text(), SchemaNode.object(keys).with("required", List.of("path")));
    return SchemaNode.anyOf(ValueSchemas.text(), SchemaNode.listOf(item).with("minItems", 1))
        .describedAs("What to ship: directories with everything below, files or globs.");
  }

  private static SchemaNode globs(String description) {
    return SchemaNode.oneOrMany(ValueSchemas.anyText()).describedAs(description);
  }

  private static SchemaNode destinations() {
    SchemaNode item = SchemaNode.anyOf(ValueSchemas.text(), destinationMap());
    SchemaNode several =
        SchemaNode.listOf(item)
            .with("minItems", 1)
            .with("uniqueItems", true)
            .with("contains", SchemaNode.not(bestEffort()));
    return SchemaNode.anyOf(ValueSchemas.text(), several)
        .describedAs("Several destinations, instead of 'destination'; each gets all files.");
  }

  private static SchemaNode bestEffort() {
    return SchemaNode.of("type", "object")
        .with("required", List.of("best_effort"))
        .with(
            "properties",
            SchemaNode.of("best_effort", SchemaNode.of("enum", List.of(true, "true"))));
  }

  private static SchemaNode destinationMap() {
    SchemaNode keys =
        SchemaNode.of("uri", ValueSchemas.text().describedAs("Where the archive lives."))
            .with(
                "name",
                ValueSchemas.scalar(NAME, NAME_EXPECTED).describedAs("How reports call it."))
            .with(
                "best_effort",
                ValueSchemas.truth()
                    .with("default", false)
                    .describedAs("Nobody counts on it: what it lacks is not at risk."))
            .with(
                "bandwidth",
                ValueSchemas.bandwidth()
                    .describedAs("How fast bytes may go there, except in a drain."));
    SchemaNode directory =
        SchemaNode.required("uri")
            .with(
                "properties",
                SchemaNode.of(
                    "uri", SchemaNode.of("pattern", "^(?:file:|(?![A-Za-z][A-Za-z0-9+.-]*:))")));
    return SchemaNode.of("type", "object")
        .with("required", List.of("uri"))
        .with("properties", keys)
        .with("additionalProperties", ValueSchemas.anyText())
        .with("if", directory)
        .with(
            "then",
            SchemaNode.of(
                "propertyNames", ValueSchemas.word("uri", "name", "best_effort", "bandwidth")));
  }

  private static SchemaNode noticeMap() {
    Map<String, SchemaNode> keys = new LinkedHashMap<>();
    keys.put("file", ValueSchemas.text().describedAs("A file that appears."));
    keys.put(
        "http",
        ValueSchemas.text(ValuePatterns.endpoint(), "an address such as http://localhost:8080/x")
            .describedAs("An endpoint: 200 says that there is a notice, 204 or 404 that not."));
    keys.put(
        "command",
        ValueSchemas.command()
            .describedAs("A command: exit code 0 says that there is a notice, 1 to 125 that not."));
    keys.put("every", ValueSchemas.duration(100).describedAs("How often it is asked."));
    keys.put(
        "limit",
        ValueSchemas.duration(100).describedAs("How long an endpoint or a command may take."));
    return SchemaNode.object(keys)
        .with(
            "oneOf",
            List.of(
                SchemaNode.required("file"),
                SchemaNode.required("http"),
                SchemaNode.required("command")));
  }

  private static SchemaNode hooks() {
    Map<String, SchemaNode> limited = new LinkedHashMap<>();
    limited.put("command", ValueSchemas.command());
    limited.put("limit", ValueSchemas.duration(100).with("default", "5s"));
    SchemaNode hook =
        SchemaNode.anyOf(
            ValueSchemas.command(),
            SchemaNode.object(limited).with("required", List.of("command")));
    Map<String, SchemaNode> moments = new LinkedHashMap<>();
    for (HookMoment moment : HookMoment.values()) {
      moments.put("on_" + moment.word(), hook);
    }
    return SchemaNode.object(moments)
        .describedAs("Commands that are run when the pace changes. Default: none.");
  }

  private static SchemaNode neighbour() {
    Map<String, SchemaNode> limits = new LinkedHashMap<>();
    for (String resource : List.of("cpu", "io", "memory")) {
      limits.put(
          resource,
          ValueSchemas.text(
              "(?:off|" + ValuePatterns.share() + ")", "a share such as 20%, or off"));
    }
    List<SchemaNode> processors = new ArrayList<>();
    processors.add(SchemaNode.of("type", "number").with("minimum", 0.01).with("maximum", 999.9999));
    processors.add(
        ValueSchemas.text(
            "(?:off|" + ValuePatterns.processors() + ")",
            "a part of one processor such as 50% or 0.5, or off"));
    Map<String, SchemaNode> keys = new LinkedHashMap<>();
    keys.put("nice", ValueSchemas.count(0, 19, "(?:[0-9]|1[0-9])"));
    keys.put("scheduling", ValueSchemas.word("normal", "batch", "idle"));
    keys.put(
        "io_priority",
        ValueSchemas.text(
            ValuePatterns.ioPriority(), "none, idle or best-effort:0 to best-effort:7"));
    keys.put("cpu_limit", SchemaNode.of("anyOf", processors));
    keys.put(
        "pressure",
        SchemaNode.anyOf(
            ValueSchemas.text(
                ValuePatterns.pressure(), "on, off, or limits such as cpu:20%+io:30%"),
            SchemaNode.object(limits)));
    return SchemaNode.object(keys);
  }
}
