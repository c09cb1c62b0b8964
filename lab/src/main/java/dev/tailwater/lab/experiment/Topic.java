package dev.tailwater.lab.experiment;

import java.util.Optional;

/**
 * The topic of an experiment.
 *
 * @param name as on the command line, {@code write-size-sync}
 * @param question what it answers, in one sentence that ends with a question mark
 * @param article the article it comes from, {@code 000} to {@code 004}
 */
public record Topic(String name, String question, Optional<String> article) {
  /** Creates a topic that none of the articles has. */
  public static Topic of(String name, String question) {
    return new Topic(name, question, Optional.empty());
  }

  /** Creates a topic that repeats what an article has measured. */
  public static Topic ofArticle(String article, String name, String question) {
    return new Topic(name, question, Optional.of(article));
  }
}
