package dev.tailwater.cli.init;

import java.util.List;
import java.util.Optional;

/**
 * What was found on a machine.
 *
 * @param sources the directories to ship, those with most bytes first
 * @param moreSources how many further ones there are
 * @param cloud as {@code notices} calls it; empty: none that is known
 * @param cloudInWords the cloud and how it was recognised
 * @param systemd whether systemd runs this machine
 * @param kubernetes whether this is a container of Kubernetes
 * @param servers file servers that are mounted
 * @param cutShort why something may be missing: a bound of the search
 */
record Findings(
    List<SourceFound> sources,
    long moreSources,
    Optional<String> cloud,
    String cloudInWords,
    boolean systemd,
    boolean kubernetes,
    List<FileServer> servers,
    Optional<String> cutShort) {
  Findings {
    sources = List.copyOf(sources);
    servers = List.copyOf(servers);
  }
}
