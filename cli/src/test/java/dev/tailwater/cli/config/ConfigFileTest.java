package dev.tailwater.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.cli.value.Bandwidths;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.DestinationOption;
import dev.tailwater.destination.DestinationQuery;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The configuration file: what it sets, and what is said when it is wrong. */
class ConfigFileTest {
  private static final Path DIRECTORY = Path.of("/etc/tailwater");
  private static final String GOOD_ENDING = "sources: [/var/log]\ndestination: /mnt/archive\n";

  @Test
  void readsEveryKey() {
    ShipSettings settings =
        settings(
            """
            agent: web-1
            state: /var/lib/tailwater
            sources:
              - path: /var/log/app
                include: ["*.log*"]
                exclude: "*.tmp"
              - path: /var/log/lines
                cut_at: newline
              - /srv/data
            destination: file:///mnt/archive
            bandwidth: 10MiB/s
            compress: gzip:6
            encrypt_to: [keys.txt]
            max_age: 500ms
            segment_size: 16MiB
            drain_deadline: 1m
            workers: 2
            reconcile: 5s
            deleted_grace: 0s
            """);
    assertEquals(Optional.of("web-1"), settings.agent());
    assertEquals(Optional.of("/var/lib/tailwater"), settings.state());
    assertEquals(
        List.of(
            new SourceSetting("/var/log/app", List.of("*.log*"), List.of("*.tmp")),
            new SourceSetting(
                "/var/log/lines", List.of(), List.of(), Optional.empty(), CutAt.NEWLINE, false),
            new SourceSetting("/srv/data", List.of(), List.of())),
        settings.sources());
    assertEquals(
        List.of(DestinationSetting.required("file:///mnt/archive")), settings.destinations());
    assertEquals(Optional.of(Bandwidths.parse("10MiB/s")), settings.bandwidth());
    assertEquals(new Codec.Gzip(6), settings.compress());
    assertEquals(List.of("/etc/tailwater/keys.txt"), settings.encryptTo());
    assertEquals(Optional.of(Duration.ofMillis(500)), settings.maxAge());
    assertEquals(16 << 20, settings.segmentSizeBytes());
    assertEquals(Duration.ofMinutes(1), settings.drainDeadline());
    assertEquals(2, settings.workers());
    assertEquals(Duration.ofSeconds(5), settings.reconcile());
    assertEquals(Duration.ZERO, settings.deletedGrace());
  }

  @Test
  void whatIsNotSaidHasItsDefault() {
    ShipSettings settings = settings(GOOD_ENDING);
    assertEquals(new Codec.Zstd(1), settings.compress());
    assertEquals(Optional.empty(), settings.maxAge(), "what the destination recommends");
    assertEquals(8 << 20, settings.segmentSizeBytes());
    assertEquals(Duration.ofSeconds(25), settings.drainDeadline());
    assertEquals(1, settings.workers());
    assertEquals(List.of(), settings.encryptTo());
  }

  @Test
  void aDestinationMayHaveItsOptionsAsAMap() {
    ShipSettings settings =
        settings(
            """
            sources: [/var/log]
            destination:
              uri: s3://logs/web
              region: eu-west-1
              path_style: true
              kms_key: arn:aws:kms:x y
            """);
    assertEquals(
        List.of(
            DestinationSetting.required(
                "s3://logs/web?region=eu-west-1&path-style=true&kms-key=arn%3Aaws%3Akms%3Ax%20y")),
        settings.destinations());
    assertEquals(
        List.of(
            DestinationSetting.required("s3://logs/web?region=eu-west-1&endpoint=http%3A%2F%2Fs3")),
        settings(
                """
                sources: [/var/log]
                destination: {uri: "s3://logs/web?region=eu-west-1", endpoint: "http://s3"}
                """)
            .destinations());
  }

  @Test
  void aDestinationAsAMapNeedsAUriAndSingleTexts() {
    String sources = "sources: [/var/log]\n";
    assertEquals(
        "a destination needs a uri",
        onlyProblem(sources + "destination: {region: eu-west-1}\n").message());
    assertEquals(
        "'region' is given twice",
        onlyProblem(sources + "destination: {uri: s3://b, region: a, region: b}\n").message());
    assertTrue(
        onlyProblem(sources + "destination: {uri: s3://b, region: [a]}\n")
            .message()
            .contains("destination.region"));
  }

  @Test
  void severalDestinationsHaveTheirNamesAndBandwidthsAndMayBeBestEffort() {
    ShipSettings settings =
        settings(
            """
            sources: [/var/log]
            destinations:
              - archive
              - uri: s3://logs/web
                name: cloud
                bandwidth: "08:00-18:00 2MiB/s, 10MiB/s"
                best_effort: true
                region: eu-west-1
            """);
    assertEquals(
        List.of(
            DestinationSetting.required("/etc/tailwater/archive"),
            new DestinationSetting(
                "s3://logs/web?region=eu-west-1",
                Optional.of("cloud"),
                true,
                Optional.of(Bandwidths.parse("08:00-18:00 2MiB/s, 10MiB/s")))),
        settings.destinations());
  }

  @Test
  void aSizeToMergeToThatIsNoneSaysHowToMergeNothing() {
    assertEquals(
        "merge_to: expected a size such as 64KiB, 8MiB or 1GiB, not '0'; off leaves every segment as"
            + " it is",
        onlyProblem("sources: [/a]\ndestination: /b\nmerge_to: 0\n").message());
  }

  @Test
  void destinationsThatDoNotGoTogetherAreProblems() {
    String sources = "sources: [/var/log]\n";
    assertEquals(
        "c.yaml:3:15: both 'destination' and 'destinations' are given",
        onlyProblem(sources + "destination: /a\ndestinations: [/b]\n").at("c.yaml"));
    assertEquals(
        "c.yaml:2:20: destinations: '/a' is given twice",
        onlyProblem(sources + "destinations: [/a, /a]\n").at("c.yaml"));
    assertEquals(
        "destinations: 'x' is given twice",
        onlyProblem(sources + "destinations: [{uri: /a, name: x}, {uri: /b, name: x}]\n")
            .message());
    assertEquals(
        "no destination is required",
        onlyProblem(sources + "destinations: [{uri: /a, best_effort: true}]\n").message());
    assertEquals(
        "no destination is required",
        onlyProblem(sources + "destination: {uri: /a, best_effort: true}\n").message());
    assertEquals("there is no destination", onlyProblem(sources + "destinations: []\n").message());
    assertEquals(
        "c.yaml:2:16: destinations: unknown key 'best_efort'",
        onlyProblem(sources + "destinations: [{uri: /a, best_efort: true}]\n").at("c.yaml"));
    assertEquals(
        Optional.of("did you mean 'best_effort'?"),
        onlyProblem(sources + "destinations: [{uri: a/b, best_efort: true}]\n").hint());
    assertEquals(
        "destinations.best_effort: expected true or false, not 'perhaps'",
        onlyProblem(sources + "destinations: [{uri: /a, best_effort: perhaps}]\n").message());
    assertTrue(
        onlyProblem(sources + "destinations: [{uri: /a, bandwidth: fast}]\n")
            .message()
            .contains("expected a bandwidth such as 10MiB/s"));
  }

  @Test
  void relativePathsBeginWhereTheFileIs() {
    ShipSettings settings = settings("sources: [logs, ../x]\ndestination: archive\nstate: s\n");
    assertEquals("/etc/tailwater/logs", settings.sources().getFirst().path());
    assertEquals("/etc/x", settings.sources().getLast().path());
    assertEquals(
        List.of(DestinationSetting.required("/etc/tailwater/archive")), settings.destinations());
    assertEquals(Optional.of("/etc/tailwater/s"), settings.state());
  }

  @Test
  void anUnknownKeyNamesItsPlaceAndTheNearestKey() {
    ConfigProblem problem = onlyProblem(GOOD_ENDING + "maxage: 1s\n");
    assertEquals("c.yaml:3:1: unknown key 'maxage'", problem.at("c.yaml"));
    assertEquals(Optional.of("did you mean 'max_age'?"), problem.hint());
  }

  @Test
  void anUnknownKeyOfASourceNamesItsPlaceAndTheNearestKey() {
    ConfigProblem problem =
        onlyProblem("destination: /a\nsources:\n  - path: /var/log\n    exlude: [a]\n");
    assertEquals("c.yaml:4:5: unknown key 'exlude'", problem.at("c.yaml"));
    assertEquals(Optional.of("did you mean 'exclude'?"), problem.hint());
  }

  @Test
  void whereToCutIsOneOfTwoWords() {
    ConfigProblem problem =
        onlyProblem("destination: /a\nsources:\n  - path: /var/log\n    cut_at: line\n");
    assertEquals("c.yaml:4:13: cut_at: 'line' is not newline or anywhere", problem.at("c.yaml"));
  }

  @Test
  void packsAreForManyFilesUnlessTheyAreOnOrOff() {
    assertEquals(PackUse.FOR_MANY_FILES, settings(GOOD_ENDING).packs());
    assertEquals(PackUse.FOR_MANY_FILES, settings(GOOD_ENDING + "packs: auto\n").packs());
    assertEquals(PackUse.ALWAYS, settings(GOOD_ENDING + "packs: on\n").packs());
    assertEquals(PackUse.NEVER, settings(GOOD_ENDING + "packs: off\n").packs());
    assertTrue(onlyProblem(GOOD_ENDING + "packs: yes\n").at("c.yaml").contains("auto, on or off"));
  }

  @Test
  void packsContradictGzipAndEncryptionWithoutACheck() {
    ConfigProblem gzip = onlyProblem(GOOD_ENDING + "compress: gzip:1\npacks: on\n");
    assertTrue(gzip.at("c.yaml").contains("never compressed with gzip"), gzip.toString());
    ConfigProblem unchecked =
        onlyProblem(GOOD_ENDING + "encrypt_to: [keys.txt]\ncontent_check: off\npacks: on\n");
    assertTrue(unchecked.at("c.yaml").contains("content_check is off"), unchecked.toString());
  }

  /** As a template leaves it whose list of keys is empty: nothing may go out unencrypted. */
  @Test
  void anEmptyListOfRecipientsIsNotNoEncryption() {
    ConfigProblem problem = onlyProblem(GOOD_ENDING + "encrypt_to: []\n");
    assertTrue(problem.at("c.yaml").contains("encrypt_to: no value is given"), problem.toString());
    assertTrue(problem.hint().orElse("").contains("without the key"), problem.toString());
  }

  @Test
  void aKeyUnlikeAllOthersGetsTheListOfKeys() {
    ConfigProblem problem = onlyProblem(GOOD_ENDING + "colour: red\n");
    assertTrue(problem.hint().orElse("").contains("max_age"), problem.toString());
  }

  @Test
  void aWrongValueNamesItsPlaceAndWhatIsExpected() {
    ConfigProblem problem = onlyProblem("max_age: soon\n" + GOOD_ENDING);
    assertEquals(
        "c.yaml:1:10: max_age: expected a duration such as 500ms, 1s, 2m or 1h, not 'soon'",
        problem.at("c.yaml"));
  }

  @Test
  void aWrongShapeNamesItsPlaceAndWhatIsExpected() {
    assertEquals(
        "c.yaml:1:10: workers: expected one value, not a list",
        onlyProblem("workers: [1, 2]\n" + GOOD_ENDING).at("c.yaml"));
    assertEquals(
        "c.yaml:1:10: sources: expected a list, not a map",
        onlyProblem("sources: {path: /a}\ndestination: /b\n").at("c.yaml"));
    assertEquals(
        "c.yaml:1:1: expected keys and values, not a list", onlyProblem("- a\n").at("c.yaml"));
  }

  @Test
  void aKeyGivenTwiceIsAProblem() {
    assertEquals(
        "c.yaml:4:1: 'workers' is given twice",
        onlyProblem(GOOD_ENDING + "workers: 1\nworkers: 2\n").at("c.yaml"));
  }

  @Test
  void whatIsMissingIsAProblem() {
    assertTrue(onlyProblem("destination: /a\n").message().contains("no sources"));
    assertTrue(onlyProblem("sources: [/a]\n").message().contains("no destination"));
    assertTrue(
        onlyProblem("destination: /a\nsources:\n  - include: [a]\n").message().contains("path"));
    assertTrue(onlyProblem("# nothing\n").message().contains("says nothing"));
  }

  @Test
  void everyProblemIsListed() {
    List<ConfigProblem> problems =
        ConfigFile.read("max_age: x\nworkers: 0\nnope: 1\n" + GOOD_ENDING, DIRECTORY).problems();
    assertEquals(List.of(1, 2, 3), problems.stream().map(ConfigProblem::line).toList());
  }

  @Test
  void aDestinationThatIsRefusedNamesTheLineOfTheWrongOption() {
    PlaceCheck check =
        place -> {
          URI uri = URI.create(place);
          var _ =
              DestinationQuery.parse(
                  uri, List.of(new DestinationOption("path-style", "x", "", "y")));
        };
    String yaml =
        """
        sources: [/a]
        destinations:
          - s3://logs/one?regoin=eu-west-1
          - uri: s3://logs/two
            path_style: true
            stor_1: Se3ret
          - uri: s3://logs/three?endpoint=Se3ret
            name: third
          - s3://logs/four?path-style=true
          - uri: s3://logs/five
            path_style: ""
        """;
    List<ConfigProblem> problems = ConfigFile.read(yaml, DIRECTORY, check).problems();
    assertEquals(
        List.of(
            "c.yaml:3:5: destinations: unknown option regoin",
            "c.yaml:6:5: destinations: unknown option in the query",
            "c.yaml:7:5: destinations: unknown option endpoint",
            "c.yaml:11:5: destinations: the option path-style has no value"),
        problems.stream().map(problem -> problem.at("c.yaml")).toList());
    assertEquals(
        Optional.of("Known options are path-style."), problems.getFirst().hint(), "the hint");
    assertEquals(
        List.of(),
        ConfigFile.read(yaml, DIRECTORY).problems(),
        "without a check nothing is said of options");
  }

  @Test
  void brokenYamlNamesItsPlace() {
    ConfigProblem problem = onlyProblem("sources: [/a\ndestination: /b\n");
    assertEquals(2, problem.line());
    assertTrue(problem.message().startsWith("not YAML: "), problem.message());
  }

  private static ShipSettings settings(String yaml) {
    ConfigFile.Result result = ConfigFile.read(yaml, DIRECTORY);
    assertEquals(List.of(), result.problems());
    return result.settings().build();
  }

  private static ConfigProblem onlyProblem(String yaml) {
    List<ConfigProblem> problems = ConfigFile.read(yaml, DIRECTORY).problems();
    assertEquals(1, problems.size(), problems.toString());
    return problems.getFirst();
  }

  @Test
  void theNameOfAnAgentBeginsWithNoDot() {
    String problem = onlyProblem(GOOD_ENDING + "agent: .hidden\n").message();
    assertTrue(problem.contains("no dot at its beginning"), problem);
  }

  @Test
  void whatIsNestedTooDeeplyIsAProblemAndNoOverflow() {
    for (String level : List.of("[", "{a: ", "- ")) {
      ConfigFile.Result result =
          ConfigFile.read("sources:\n  " + level.repeat(5_000), Path.of("/etc"));
      assertEquals(
          "not YAML: lists and maps are nested more than 100 deep",
          result.problems().getFirst().message());
      assertEquals(2, result.problems().getFirst().line());
    }
  }

  @Test
  void aPathBelowTheHomeDirectoryIsAProblemSinceNoShellReplacesIt() {
    String what = ": ~/a: only a shell replaces ~ by the home directory, and not everywhere";
    String hint = "write the whole path, or ./~/a if it really has this name";
    for (String key : List.of("state", "encrypt_to", "destination", "sources")) {
      String file =
          key.equals("sources") || key.equals("destination")
              ? "sources: /b\ndestination: /c\n".replaceAll(key + ": /.", key + ": ~/a")
              : GOOD_ENDING + key + ": ~/a\n";
      List<ConfigProblem> problems = ConfigFile.read(file, DIRECTORY).problems();
      assertEquals(List.of(key + what), problems.stream().map(ConfigProblem::message).toList());
      assertEquals(Optional.of(hint), problems.getFirst().hint());
    }
    String named = "sources: ./~/a\ndestination: /c\n";
    assertEquals(List.of(), ConfigFile.read(named, DIRECTORY).problems());
  }

  @Test
  void aSecondDocumentIsAProblemInAWholeSentence() {
    List<ConfigProblem> problems =
        ConfigFile.read(GOOD_ENDING + "---\nworkers: 2\n", DIRECTORY).problems();
    assertEquals(
        "not YAML: expected a single document in the stream, but found another document",
        problems.getFirst().message());
  }

  @Test
  void aPathWithANulCharacterIsAProblem() {
    ConfigFile.Result result =
        ConfigFile.read("sources: [\"a\\0b\"]\ndestination: /mnt/archive\n", DIRECTORY);
    assertEquals(
        List.of("sources: no path has a NUL character"),
        result.problems().stream().map(ConfigProblem::message).toList());
  }
}
