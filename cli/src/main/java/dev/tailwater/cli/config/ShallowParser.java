package dev.tailwater.cli.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A parser that refuses what is nested too deeply: the composer calls itself for each level, and
 * would use up the stack.
 */
public final class ShallowParser implements Parser {
  /** Many more levels than any key needs. */
  static final int MOST_LEVELS = 100;

  private final Parser parser;
  private int levels;

  private ShallowParser(Parser parser) {
    this.parser = parser;
  }

  /**
   * Returns the document in a text; empty if there is none.
   *
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException it is not YAML, or nested too
   *     deeply
   */
  public static Optional<Node> compose(LoadSettings settings, String yaml) {
    Parser parser = new ParserImpl(settings, new StreamReader(settings, yaml));
    return new Composer(settings, new ShallowParser(parser)).getSingleNode();
  }

  @Override
  public boolean checkEvent(Event.ID choice) {
    return parser.checkEvent(choice);
  }

  @Override
  public Event peekEvent() {
    return parser.peekEvent();
  }

  @Override
  public boolean hasNext() {
    return parser.hasNext();
  }

  @Override
  public Event next() {
    Event event = parser.next();
    switch (event.getEventId()) {
      case SequenceStart, MappingStart -> levels++;
      case SequenceEnd, MappingEnd -> levels--;
      default -> {}
    }
    if (levels > MOST_LEVELS) {
      throw new ParserException(
          "lists and maps are nested more than " + MOST_LEVELS + " deep", event.getStartMark());
    }
    return event;
  }
}
