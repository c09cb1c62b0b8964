package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Options in the query of a URI. */
class DestinationQueryTest {
  private static final List<DestinationOption> OPTIONS =
      List.of(
          new DestinationOption("region", "NAME", "none", "Where."),
          new DestinationOption("path-style", "true|false", "false", "How."));

  private static DestinationQuery parse(String uri) throws UnknownDestinationException {
    return DestinationQuery.parse(URI.create(uri), OPTIONS);
  }

  @Test
  void readsWhatIsGivenAndWritesItInOneOrder() throws UnknownDestinationException {
    DestinationQuery query = parse("s3://b/p?region=a%20b%26c&path-style=true");
    assertEquals(Optional.of("a b&c"), query.value("region"));
    assertTrue(query.isTrue("path-style"));
    assertEquals("path-style=true&region=a%20b%26c", query.toString());
    assertEquals(Optional.empty(), parse("s3://b/p").value("region"));
    assertFalse(parse("s3://b?path-style=false").isTrue("path-style"));
    assertEquals("", parse("s3://b?").toString());
  }

  @Test
  void refusesWhatItDoesNotKnowWithoutRepeatingIt() {
    for (String uri :
        List.of(
            "s3://b?secretkey=Se3ret",
            "s3://b?Se3ret",
            "s3://AKIA:Se3ret@b/p",
            "s3://b#Se3ret",
            "s3://b?region=Se3ret&region=x",
            "s3://b?region",
            "s3://b?region=")) {
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> parse(uri), uri);
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
      assertFalse(e.hint().isBlank());
    }
    assertThrows(
        UnknownDestinationException.class,
        () -> parse("s3://b?path-style=yes").isTrue("path-style"));
  }
}
