package dev.tailwater.lab.identity;

import static dev.tailwater.lab.identity.FileIdentityTable.COLD;
import static dev.tailwater.lab.identity.FileIdentityTable.WARM;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The conclusions from the table of {@code file-identity}. */
final class FileIdentityConclusions {
  private FileIdentityConclusions() {}

  static List<Conclusion> of(ResultTable table) {
    List<Conclusion> all = new ArrayList<>();
    compare(table, IdentityWay.FSTAT, WARM, IdentityWay.STAT, WARM).ifPresent(all::add);
    compare(table, IdentityWay.OPEN_FSTAT, WARM, IdentityWay.STAT, WARM)
        .map(said -> and(said, "The article had more than twice the time."))
        .ifPresent(all::add);
    compare(table, IdentityWay.PREAD, WARM, IdentityWay.OPEN_FSTAT, WARM)
        .map(said -> and(said, "The article had nearly half the time."))
        .ifPresent(all::add);
    compare(table, IdentityWay.OPEN_PREAD_HASH, WARM, IdentityWay.OPEN_FSTAT, WARM)
        .ifPresent(all::add);
    compare(table, IdentityWay.OURS, WARM, IdentityWay.OPEN_FSTAT, WARM).ifPresent(all::add);
    // Cold and warm were measured in different rounds, so they are not compared.
    compare(table, IdentityWay.OURS, COLD, IdentityWay.STAT, COLD).ifPresent(all::add);
    compare(table, IdentityWay.FSTAT, COLD, IdentityWay.STAT, COLD).ifPresent(all::add);
    return List.copyOf(all);
  }

  private static Conclusion and(Conclusion said, String article) {
    return new Conclusion(said.certainty(), said.text() + " " + article);
  }

  private static Optional<Conclusion> compare(
      ResultTable table, IdentityWay one, String names, IdentityWay other, String otherNames) {
    Optional<Contender> first = FileIdentityTable.contender(table, one, names);
    Optional<Contender> second = FileIdentityTable.contender(table, other, otherNames);
    return first.isEmpty() || second.isEmpty()
        ? Optional.empty()
        : Optional.of(Verdict.of(FileIdentityTable.TIME, first.get(), second.get()));
  }
}
