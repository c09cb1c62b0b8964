package dev.tailwater.cli.command.ship;

import dev.tailwater.archive.Codec;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.estimate.EstimateJson;
import dev.tailwater.cli.estimate.EstimatePlan;
import dev.tailwater.cli.estimate.EstimateText;
import dev.tailwater.cli.estimate.GrowthSurvey;
import dev.tailwater.cli.estimate.PriceTable;
import dev.tailwater.cli.estimate.Workload;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.ship.ShipPlan;
import dev.tailwater.cli.value.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater estimate CONFIG}. Contacts no destination. */
@Command(
    name = "estimate",
    description =
        "Calculate the objects, requests, stored bytes and money that a configuration costs in a"
            + " month, there and at the common stores.",
    footer = {
      "",
      "Give --rate or --measure. The output says what the calculation takes for granted. Prices are"
          + " list prices without transfer; no destination is contacted."
    })
public final class EstimateCommand implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final Pattern RATIO = Pattern.compile("[01](\\.[0-9]{1,6})?");
  private static final double LEAST_RATIO = 0.001;

  private final Surroundings surroundings;

  @Parameters(paramLabel = "CONFIG", description = "The file, as for 'ship --config'.")
  private String file = "";

  @Option(
      names = "--rate",
      paramLabel = "FILES,BYTES_PER_SECOND",
      description =
          "How many files grow, and by how much each: 100,1000. Can be given several times.")
  private List<String> rates = new ArrayList<>();

  @Option(
      names = "--measure",
      paramLabel = "DURATION",
      description = "Watch the files of the sources for this time, 1s to 1d, to see how they grow.")
  private String measure = "";

  @Option(
      names = "--ratio",
      paramLabel = "RATIO",
      description = "Stored bytes for each byte that is written, up to 1 (default: 0.2).")
  private String ratio = "";

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description = "A table of prices (YAML) instead of the one of the program.")
  private String priceFile = "";

  @Mixin private JsonOption json = new JsonOption();

  public EstimateCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rates.isEmpty() == measure.isEmpty()) {
      throw UserException.usage(
          rates.isEmpty()
              ? "it is not known how the files grow"
              : "--rate and --measure are both given",
          "--rate 100,1000 says that 100 files grow by 1000 bytes a second each; --measure 30s"
              + " watches the files of the sources");
    }
    ShipSettings settings = ConfigFiles.settings(surroundings, file).build();
    OptionalDouble stored = storedRatio(settings);
    PriceTable prices = prices();
    EstimatePlan plan =
        new EstimatePlan(settings, prices, workload(settings), stored, surroundings);
    if (!plan.isCountable()) {
      throw UserException.usage(
          "--rate: a month would store more than 8 EiB, which is more than can be counted",
          "--rate 100,1000 says that 100 files grow by 1000 bytes a second each");
    }
    if (json.wanted()) {
      Json.object(surroundings.out(), new EstimateJson(plan)::write);
    } else {
      new EstimateText(plan, surroundings.out()).print();
    }
    return ExitCode.DONE.number();
  }

  private OptionalDouble storedRatio(ShipSettings settings) {
    if (ratio.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (settings.compress() instanceof Codec.Store) {
      throw UserException.usage(
          "--ratio is given, and compress is store, which stores every byte as it is",
          "leave --ratio out, or try another compress");
    }
    double value = RATIO.matcher(ratio).matches() ? Double.parseDouble(ratio) : 0;
    if (value < LEAST_RATIO || value > 1) {
      throw UserException.usage(
          "--ratio: expected a number from " + LEAST_RATIO + " to 1, not '" + ratio + "'",
          "--ratio 0.2");
    }
    return OptionalDouble.of(value);
  }

  private Workload workload(ShipSettings settings) throws IOException, InterruptedException {
    if (measure.isEmpty()) {
      try {
        return new Workload(rates.stream().map(Workload.Growth::parse).toList());
      } catch (IllegalArgumentException e) {
        throw UserException.usage("--rate: " + e.getMessage(), "--rate 100,1000");
      }
    }
    Duration duration;
    try {
      duration = Durations.parse(measure);
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--measure: " + e.getMessage(), "--measure 30s");
    }
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw UserException.usage(
          "--measure: expected 1s to 1d, not '" + measure + "'", "--measure 30s");
    }
    ShipPlan plan = ShipPlan.of(settings, surroundings);
    return new GrowthSurvey(plan.config(), surroundings).measure(duration);
  }

  private PriceTable prices() throws IOException {
    if (priceFile.isEmpty()) {
      return PriceTable.shipped();
    }
    Path path = surroundings.absolute(priceFile);
    if (!Files.isRegularFile(path)) {
      throw UserException.usage(
          priceFile + ": no such table of prices", "docs/guide/sizing.md shows one");
    }
    try {
      return PriceTable.parse(TextFiles.read(path, priceFile));
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          priceFile + ": " + e.getMessage(), "docs/guide/sizing.md shows one");
    }
  }
}
