package dev.tailwater.cli.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.config.ShipKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** The schema and the reader of the configuration file accept the same files. */
class ConfigSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY =
      "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

  private final JsonNode text = schemaText();
  private final JsonSchema schema = JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(text);

  private static JsonNode schemaText() {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ConfigSchema.write(out);
      return JSON.readTree(out.toByteArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSchemaIsASchema() throws IOException {
    JsonSchema meta =
        JsonSchemaFactory.getInstance(VersionFlag.V7)
            .getSchema(
                com.networknt.schema.SchemaLocation.of("http://json-schema.org/draft-07/schema"));
    assertEquals(Set.of(), meta.validate(text));
  }

  @Test
  void everyKeyIsDescribed() {
    Set<String> keys = new TreeSet<>();
    text.get("properties").fieldNames().forEachRemaining(keys::add);
    Set<String> expected = new TreeSet<>(Set.of("sources", "destinations", "hooks"));
    for (ShipKey key : ShipKey.values()) {
      expected.add(key.key());
    }
    assertEquals(expected, keys);
    for (String key : keys) {
      String description = text.get("properties").get(key).path("description").asText();
      assertTrue(description.length() > 20, key + " has no description");
    }
  }

  @Test
  void everyDefaultIsValid() {
    for (ShipKey key : ShipKey.values()) {
      JsonNode standard = text.get("properties").get(key.key()).path("default");
      key.standard().ifPresent(value -> assertEquals(value, standard.asText(), key.key()));
    }
  }

  /** Values of each key: those behind {@code !} are wrong. */
  private static final List<List<String>> VALUES =
      List.of(
          List.of("agent", "web-1", "5", "true", "a.b_c", "'" + "x".repeat(64) + "'"),
          List.of("agent", "!..", "!.", "!a/b", "!''", "!null", "!~", "!", "![a]", "!{a: b}"),
          List.of("agent", "!'" + "x".repeat(65) + "'", "!ä", "!a b"),
          List.of("state", "/var/lib/tailwater", "relative", "7", "!''", "!' '", "![a]", "!"),
          List.of("bandwidth", "10MiB/s", "0B/s", "'08:00-18:00 2MiB/s, 10MiB/s'"),
          List.of("bandwidth", "'08:00-24:00 2MiB/s'", "'22:00-06:00 1KiB/s,08:00-09:00 5B/s'"),
          List.of("bandwidth", "!10MiB", "!10MB/s", "!5", "!'10MiB/s, 1MiB/s'", "!''", "!/s"),
          List.of("bandwidth", "!'24:00-08:00 2MiB/s'", "!'8:00-9:00 2MiB/s'", "![10MiB/s]"),
          List.of("bandwidth", "8589934591GiB/s", "!'10MiB/s,'"),
          List.of("compress", "zstd:1", "zstd", "ZSTD:-7", "zstd:19", "gzip:6", "gzip", "store"),
          List.of("compress", "!zstd:20", "!zstd:-8", "!gzip:0", "!gzip:10", "!lz4", "!store:1"),
          List.of("compress", "!''", "!'zstd:'", "!1", "!'zstd: 1'", "' zstd:3 '"),
          List.of(
              "encrypt_to", KEY, "keys.txt", "[a, " + KEY + "]", "![]", "!''", "!age1x", "!['']"),
          List.of("encrypt_to", "!AGE-SECRET-KEY-1QQ", "!ssh-ed25519 AAAA", "!{a: b}", "!"),
          List.of("content_check", "on", "'off'", "!true", "!On", "!''", "![on]"),
          List.of("packs", "off", "'on'", "!true", "!On", "!''", "![on]"),
          List.of("content_check_key_file", "/etc/key", "!''", "![/etc/key]"),
          List.of("signing", "on", "'off'", "!true", "!On", "!''", "![on]"),
          List.of("signing_key_file", "/etc/key", "!''", "![/etc/key]"),
          List.of("trusted_keys", "/etc/keys", "!''", "![/etc/keys]"),
          List.of("max_at_risk", "64MiB", "5s", "'64MiB,5s'", "'5s, 64MiB'", "1MiB", "100ms"),
          List.of("max_at_risk", "!1023KiB", "!99ms", "!'64MiB,64MiB'", "!'5s,5s'", "!''", "!64"),
          List.of("max_at_risk", "{bytes: 64MiB}", "{age: 5s}", "{bytes: 1GiB, age: 1m}"),
          List.of("max_at_risk", "!{}", "!{byte: 1MiB}", "!{bytes: 5s}", "!{age: 64MiB}"),
          List.of("max_at_risk", "!{age: null}", "![64MiB]", "!{bytes: 64}", "1048576B"),
          List.of("max_age", "10ms", "1s", "500ms", "2m", "1h", "1d", "0000010ms", "999ms"),
          List.of("max_age", "!9ms", "!0s", "!5", "!1.5s", "!'1 s'", "!1w", "!''", "!-1s", "![1s]"),
          List.of("max_age", "36500d", "000000000000036500d"),
          List.of("segment_size", "1MiB", "64MiB", "1024KiB", "1048576B", "8192KiB", "65536KiB"),
          List.of("segment_size", "!1023KiB", "!65MiB", "!1GiB", "!8MB", "!8388608", "!1048575B"),
          List.of("segment_size", "!67108865B", "67108864B", "!65537KiB", "!''", "!off"),
          List.of("keep_revisions", "all", "none", "7d", "0s", "!off", "!7", "!All", "!-1s"),
          List.of("merge_to", "off", "64KiB", "1GiB", "128MiB", "!63KiB", "!2GiB", "!Off", "!0"),
          List.of("drain_deadline", "25s", "0s", "0ms", "!25", "!''", "!-1s", "!never"),
          List.of("deleted_grace", "30s", "0s", "!30", "!''"),
          List.of("reconcile", "60s", "100ms", "!99ms", "!0s", "!60"),
          List.of("workers", "1", "64", "'4'", "'04'", "!0", "!65", "!1.5", "!-1", "!'65'", "!all"),
          List.of("workers", "!''", "![1]", "!", "!true"),
          List.of("extended_attributes", "off", "on", "!true", "!user", "!''"),
          List.of("directories", "off", "'on'", "!true", "!On", "!''", "![on]"),
          List.of("foreign_hard_links", "skip", "ship", "!yes", "!true", "!''", "!Ship"),
          List.of("notices", "auto", "'off'", "ec2", "gce", "azure", "azure:acknowledge", "[]"),
          List.of("notices", "file:/run/x", "file:///run/x", "http://h/x", "https://h:80/x?y"),
          List.of("notices", "command:true", "[ec2, gce]", "['off']", "['off', 'off']"),
          List.of(
              "notices", "!['off', ec2]", "!aws", "!''", "!'file:'", "!file://", "!http:x", "!"),
          List.of("notices", "!http://u:p@h/x", "!ftp://h/x", "!'command: '", "!'http://h/a b'"),
          List.of("notices", "{file: /run/x}", "{http: 'http://h/x', every: 1s, limit: 2s}"),
          List.of("notices", "[{command: [a, b]}]", "{command: a b, every: 100ms}", "[auto, auto]"),
          List.of("notices", "!{}", "!{file: a, http: 'http://h/x'}", "!{every: 1s}", "!{fil: a}"),
          List.of("notices", "!{file: ''}", "!{file: a, every: 99ms}", "!{command: []}"),
          List.of("notices", "!{http: 'h/x'}", "!{command: {a: b}}", "![[auto]]"),
          List.of("hooks", "{}", "{on_hurry: a b}", "{on_safe: [a, b]}", "{on_steady: [a, '']}"),
          List.of("hooks", "{on_last_gasp: {command: a, limit: 1s}}", "{on_hurry: {command: [a]}}"),
          List.of("hooks", "!{on_panic: a}", "!a", "![a]", "!{on_hurry: ''}", "!{on_hurry: []}"),
          List.of("hooks", "!{on_hurry: {limit: 1s}}", "!{on_hurry: {command: a, limit: 1}}", "!"),
          List.of("hooks", "!{on_hurry: {command: a, limits: 1s}}", "!{on_hurry: ['', a]}"),
          List.of("neighbour", "'off'", "nice=5", "'nice=10, cpu-limit=50%'", "cpu_limit=0.5"),
          List.of("neighbour", "'pressure=cpu:20%+io:off'", "io-priority=best-effort:7", "{}"),
          List.of("neighbour", "scheduling=idle", "pressure=on", "pressure=memory:100%"),
          List.of(
              "neighbour", "!on", "!nice", "!nice=20", "!nice=10;a=b", "!cpu-limit=0.5%", "!''"),
          List.of("neighbour", "!pressure=cpu", "!pressure=cpu:0%", "!pressure=disk:5%", "!5", "!"),
          List.of("neighbour", "{nice: 19, scheduling: batch}", "{nice: '0'}", "{cpu_limit: 50%}"),
          List.of("neighbour", "{cpu_limit: 0.5}", "{cpu_limit: 2}", "{cpu_limit: 'off'}"),
          List.of("neighbour", "{io_priority: none}", "{pressure: 'off'}", "{pressure: {cpu: 5%}}"),
          List.of("neighbour", "{pressure: {cpu: 'off', io: 0.5%, memory: 100%}}"),
          List.of(
              "neighbour", "!{nice: 20}", "!{nice: -1}", "!{cpu_limit: 0}", "!{cpu_limit: 0.5%}"),
          List.of("neighbour", "!{scheduling: fifo}", "!{io_priority: best-effort:8}", "![nice=5]"),
          List.of("neighbour", "!{pressure: {disk: 5%}}", "!{pressure: {cpu: 101%}}", "!{nic: 1}"),
          List.of("neighbour", "!{pressure: {cpu: 0.5}}", "!{pressure: {cpu: 0.00%}}"));

  @TestFactory
  Stream<DynamicTest> schemaAndCheckAgreeOnEachKey() {
    return VALUES.stream()
        .map(
            line ->
                dynamicTest(
                    line.getFirst() + ": " + line.get(1),
                    () -> {
                      for (String value : line.subList(1, line.size())) {
                        agree(withKey(line.getFirst(), value));
                      }
                    }));
  }

  private record Case(String yaml, boolean valid) {}

  private static Case withKey(String key, String value) {
    boolean valid = !value.startsWith("!");
    String yaml =
        "sources: logs\ndestination: /a\n" + key + ": " + (valid ? value : value.substring(1));
    return new Case(yaml + "\n", valid);
  }

  @Test
  void everyKeyIsAmongTheValues() {
    Set<String> tried = new HashSet<>();
    VALUES.forEach(line -> tried.add(line.getFirst()));
    Set<String> missing = new TreeSet<>();
    text.get("properties").fieldNames().forEachRemaining(missing::add);
    missing.removeAll(tried);
    assertEquals(Set.of("sources", "destination", "destinations"), missing);
  }

  /** Whole files: those behind {@code !} are wrong. */
  private static final List<String> FILES =
      List.of(
          "sources: logs\ndestination: /a",
          "sources: [logs, /var/log]\ndestination: s3://b/p",
          "sources: [{path: logs, include: '*.log', exclude: [a, b], as: /x, cut_at: newline}]\n"
              + "destination: /a",
          "sources: [5]\ndestination: /a",
          "sources: logs\ndestination: {uri: s3://b/p, region: eu-west-1, path_style: true}",
          "sources: logs\ndestination: {uri: /a, name: n, best_effort: false, bandwidth: 1MiB/s}",
          "sources: logs\ndestinations: [/a, {uri: s3://b/p, best_effort: true}]",
          "sources: logs\ndestinations: /a",
          "sources: logs\ndestination: /a\ncontent_check: on\ncontent_check_key_file: /k",
          "sources: logs\ndestination: /a\nsigning: on\nsigning_key_file: /k",
          "sources: logs\ndestination: /a\ntrusted_keys: /k",
          "!",
          "!{}",
          "![a]",
          "!sources: logs",
          "!destination: /a",
          "!sources: logs\ndestination: /a\ndestinations: [/b]",
          "!sources: []\ndestination: /a",
          "!sources: {path: logs}\ndestination: /a",
          "!sources: ['']\ndestination: /a",
          "!sources: [null]\ndestination: /a",
          "!sources: [[logs]]\ndestination: /a",
          "!sources: [{include: a}]\ndestination: /a",
          "!sources: [{path: ''}]\ndestination: /a",
          "!sources: [{path: a, as: relative}]\ndestination: /a",
          "!sources: [{path: a, cut_at: word}]\ndestination: /a",
          "!sources: [{path: a, includes: b}]\ndestination: /a",
          "!sources: [{path: a, include: {b: c}}]\ndestination: /a",
          "!sources: logs\ndestination: ''",
          "!sources: logs\ndestination: [/a]",
          "!sources: logs\ndestination: {name: n}",
          "!sources: logs\ndestination: {uri: /a, region: x}",
          "!sources: logs\ndestination: {uri: file:///a, region: x}",
          "!sources: logs\ndestination: {uri: /a, name: 'a b'}",
          "!sources: logs\ndestination: {uri: /a, best_effort: yes}",
          "!sources: logs\ndestination: {uri: /a, best_effort: true}",
          "!sources: logs\ndestination: {uri: s3://b/p, region: [x]}",
          "!sources: logs\ndestination: {uri: s3://b/p, region: null}",
          "!sources: logs\ndestinations: []",
          "!sources: logs\ndestinations: {uri: /a}",
          "!sources: logs\ndestinations: [/a, /a]",
          "!sources: logs\ndestinations: [{uri: /a, best_effort: 'true'}]",
          "!sources: logs\ndestination: /a\nmaxage: 1s",
          "!sources: logs\ndestination: /a\ncontent_check: off\ncontent_check_key_file: /k",
          "!sources: logs\ndestination: /a\nsigning: off\nsigning_key_file: /k",
          "!sources: logs\ndestination: /a\nsigning: off\ntrusted_keys: /k");

  @TestFactory
  Stream<DynamicTest> schemaAndCheckAgreeOnWholeFiles() {
    return FILES.stream()
        .map(
            file -> {
              boolean valid = !file.startsWith("!");
              String yaml = valid ? file : file.substring(1);
              return dynamicTest(
                  "'" + yaml.replace('\n', ' ') + "'", () -> agree(new Case(yaml + "\n", valid)));
            });
  }

  @Test
  void theSchemaAcceptsTheExampleConfigurationWithEverythingSwitchedOn() throws IOException {
    String example = Files.readString(Path.of("src", "main", "dist", "conf", "tailwater.yaml"));
    assertEquals(List.of(), problems(example));
    String everything =
        example
            .replaceAll("(?m)^#(?=[a-z_]+: |encrypt_to:|  - )", "")
            .replace("age1...", "recipients.txt");
    assertEquals(List.of(), problems(everything));
  }

  /** What neither a pattern nor a type can say; {@code check} finds it. */
  @Test
  void onlyCheckKnowsCheckSumsContradictionsAndWhatIsTooLarge() {
    for (String only :
        List.of(
            "encrypt_to: " + KEY.replace("ql3z", "ql3q"),
            "max_age: 10s\nmax_at_risk: 5s",
            "max_age: 36501d",
            "bandwidth: 8589934592GiB/s")) {
      String yaml = "sources: logs\ndestination: /a\n" + only + "\n";
      assertEquals(List.of(), problems(yaml), yaml);
      assertTrue(!check(yaml).isEmpty(), yaml);
    }
  }

  private void agree(Case given) {
    List<ConfigProblem> check = check(given.yaml());
    assertEquals(given.valid(), check.isEmpty(), "check, of " + given.yaml() + ": " + check);
    List<String> problems = problems(given.yaml());
    assertEquals(given.valid(), problems.isEmpty(), "schema, of " + given.yaml() + problems);
  }

  private static List<ConfigProblem> check(String yaml) {
    return ConfigFile.read(yaml, Path.of("/etc")).problems();
  }

  /** Reads YAML as editors do, by the core schema of YAML 1.2. */
  private List<String> problems(String yaml) {
    LoadSettings settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    JsonNode file = JSON.valueToTree(new Load(settings).loadFromString(yaml));
    List<String> problems = new ArrayList<>();
    for (ValidationMessage message : schema.validate(file)) {
      problems.add(message.getMessage());
    }
    return problems;
  }

  @Test
  void theSchemaIsTextInUtf8() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ConfigSchema.write(out);
    assertTrue(out.toString(StandardCharsets.UTF_8).endsWith("}\n"));
  }
}
