package dev.tailwater.lab.report;

import dev.tailwater.lab.plot.Legend;
import dev.tailwater.lab.result.HostFacts;
import java.util.List;

/**
 * What the template of the page shows. Everything is plain text, which the template escapes; only
 * {@code css} and {@code svg} are made here and go in as they are.
 *
 * @param busy what others did on the machine meanwhile; empty when it was nothing much
 * @param settings lines for tailwater.yaml; empty when there are none
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
   * @param state {@code skipped} or {@code failed}; empty when it was run to its end
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
