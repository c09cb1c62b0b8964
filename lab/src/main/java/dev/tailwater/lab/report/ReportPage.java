package dev.tailwater.lab.report;

import dev.tailwater.lab.report.PageView.ExperimentView;
import dev.tailwater.lab.report.PageView.OtherView;
import dev.tailwater.lab.report.PageView.PlaceView;
import dev.tailwater.lab.report.PageView.SettingView;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A result of the lab as a self-contained page of HTML. */
public final class ReportPage {
  private static final String GENERATOR = "<meta name=\"generator\" content=\"tailwater lab\">";
  private static final int HEAD_BYTES = 1024;

  private ReportPage() {}

  /** Returns the page. */
  public static String html(LabResult result) throws IOException {
    return Templates.fill("report.mustache", view(result));
  }

  /** Returns whether a file is a report of the lab. Reads only its beginning. */
  public static boolean isReport(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
      return head.startsWith("<!DOCTYPE html>") && head.contains(GENERATOR);
    }
  }

  private static PageView view(LabResult result) throws IOException {
    List<ExperimentView> cards = new ArrayList<>();
    List<OtherView> others = new ArrayList<>();
    for (ExperimentResult experiment : result.experiments()) {
      if (experiment.isMeasured()) {
        cards.add(ExperimentViews.measured(experiment, cards.size()));
      } else {
        others.add(ExperimentViews.other(experiment));
      }
    }
    return new PageView(
        Templates.css(),
        "What this host wants",
        subtitle(result),
        result.host().busy().orElse(""),
        LeftOut.text(result.experiments()),
        result.experiments().stream()
            .filter(experiment -> experiment.failed().isPresent())
            .map(ExperimentResult::name)
            .collect(Collectors.joining(", ")),
        cards,
        others,
        SettingsBlock.of(result),
        places(result.experiments()),
        result.host().facts(),
        "Measured by Tailwater "
            + result.version()
            + " on "
            + result.startedAt()
            + ". No figure in it is of another host, but for the hollow marks in the plots and the"
            + " columns named article.");
  }

  private static String subtitle(LabResult result) {
    List<String> parts = new ArrayList<>();
    for (String name : List.of("processor", "kernel", "file system", "JDK")) {
      result.host().facts().stream()
          .filter(fact -> fact.name().equals(name))
          .map(HostFacts.Fact::value)
          .findFirst()
          .ifPresent(parts::add);
    }
    Duration all =
        Duration.ofMillis(
            result.experiments().stream().mapToLong(ExperimentResult::elapsedMillis).sum());
    parts.add(result.effort() + " run, " + Numbers.time(all));
    return String.join(" · ", parts);
  }

  private static List<PlaceView> places(List<ExperimentResult> experiments) {
    List<PlaceView> places = new ArrayList<>();
    addPlace(places, "For this host", Place.HOST, experiments);
    addPlace(places, "For your own programs", Place.PROGRAM, experiments);
    return places;
  }

  private static void addPlace(
      List<PlaceView> places, String title, Place place, List<ExperimentResult> experiments) {
    List<SettingView> settings =
        experiments.stream()
            .flatMap(experiment -> experiment.recommendations().stream())
            .filter(setting -> setting.place() == place)
            .map(ReportPage::setting)
            .distinct()
            .toList();
    if (!settings.isEmpty()) {
      places.add(new PlaceView(title, settings));
    }
  }

  private static SettingView setting(Recommendation setting) {
    return new SettingView(setting.key(), setting.value(), setting.reason());
  }
}
