package dev.tailwater.lab.report;

import dev.tailwater.lab.plot.Legend;
import dev.tailwater.lab.result.HostFacts;
import java.util.List;

/**
 * The content of the page's template. Everything is plain text, which the template escapes, except
 * {@code css} and {@code svg}, which are generated here and inserted unchanged.
 *
 * @param busy what other programs did on the machine meanwhile; empty if it was not much
 * @param settings lines for tailwater.yaml; empty if there are none
 */
record PageView(
    String css,
    String title,
    String subtitle,
    String busy,
    String settings,
    List<PlaceView> places,
    List<HostFacts.Fact> facts,
    List<ExperimentView> experiments,
    String footer) {

  /** Settings outside of the configuration file. */
  record PlaceView(String title, List<SettingView> settings) {}

  record SettingView(String key, String value, String reason) {}

  /**
   * One experiment.
   *
   * @param state {@code skipped} or {@code failed}; empty if it was completed
   * @param plotsMissing why there are no plots, if there should be
   */
  record ExperimentView(
      String name,
      String question,
      String article,
      String state,
      String skipped,
      String failed,
      String elapsed,
      List<ConclusionView> conclusions,
      String plotsMissing,
      List<PlotView> plots,
      List<TableView> tables,
      List<ConditionView> conditions) {
    boolean hasConclusions() {
      return !conclusions.isEmpty();
    }

    boolean hasConditions() {
      return !conditions.isEmpty();
    }
  }

  record ConclusionView(String kind, String certainty, String text) {}

  record PlotView(String title, String caption, List<Legend.Entry> legend, String svg) {
    boolean hasLegend() {
      return !legend.isEmpty();
    }
  }

  record ConditionView(String name, String value) {}
}
