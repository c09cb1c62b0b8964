package dev.tailwater.cli.init;

import java.util.List;

/**
 * A source for the configuration.
 *
 * @param directory its path, and what is written in it and below it
 * @param busiest the directories in it with most bytes, for a comment
 * @param exclude globs of what is no log: files that are rewritten in place
 */
record SourceFound(LogDirectory directory, List<LogDirectory> busiest, List<String> exclude) {
  SourceFound {
    busiest = List.copyOf(busiest);
    exclude = List.copyOf(exclude);
  }
}
