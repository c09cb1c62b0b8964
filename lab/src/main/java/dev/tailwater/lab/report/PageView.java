package dev.tailwater.lab.report;

import dev.tailwater.lab.plot.Legend;
import dev.tailwater.lab.result.HostFacts;
import java.util.List;

/**
 * The content of the page's template. Everything is plain text, which the template escapes, except
 * {@code css}, {@code svg} and {@code phone}, which are generated here and inserted unchanged.
 *
 * @param busy what other programs did on the machine meanwhile; empty if it was not much
 * @param leftOut what was not measured because time was up; empty if there was time
 * @param failed names of the experiments that failed; empty if none did
 * @param cards the experiments that were measured
 * @param others those that were not
 * @param settings lines for tailwater.yaml; empty if there are none
 */
record PageView(
    String css,
    String title,
    String subtitle,
    String busy,
    String leftOut,
    String failed,
    List<ExperimentView> cards,
    List<OtherView> others,
    String settings,
    List<PlaceView> places,
    List<HostFacts.Fact> facts,
    String footer) {

  boolean hasOthers() {
    return !others.isEmpty();
  }

  /** Settings outside of the configuration file. */
  record PlaceView(String title, List<SettingView> settings) {
    int count() {
      return settings.size();
    }
  }

  record SettingView(String key, String value, String reason) {}

  /**
   * One experiment that was measured.
   *
   * @param article the title of the article that it repeats; empty if there is none
   * @param claim what the article reported of the plot; empty if that is nothing
   * @param verdict the answer in one sentence; none if the experiment concluded nothing
   * @param leftOut what was not measured because time was up; empty if there was time
   * @param plotsMissing why there are no plots, if there should be
   * @param lead the plot of the verdict; none if nothing can be drawn
   * @param folded what the folded part has, in words
   */
  record ExperimentView(
      String name,
      String question,
      String article,
      String claim,
      List<ConclusionView> verdict,
      String elapsed,
      String leftOut,
      String plotsMissing,
      List<PlotView> lead,
      String folded,
      List<ConclusionView> conclusions,
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

  /**
   * One experiment that was not measured.
   *
   * @param state {@code skipped} or {@code failed}
   */
  record OtherView(String name, String question, String state, String why) {}

  record ConclusionView(String kind, String certainty, String text) {}

  /**
   * A plot.
   *
   * @param phone the drawing for a narrow page; empty if it is the same
   */
  record PlotView(
      String title, String caption, List<Legend.Entry> legend, String svg, String phone) {
    boolean hasLegend() {
      return !legend.isEmpty();
    }
  }

  record ConditionView(String name, String value) {}
}
