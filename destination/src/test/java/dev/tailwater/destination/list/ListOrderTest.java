package dev.tailwater.destination.list;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListOrderTest {
  private static final URI PLACE = URI.create("file:///archive");

  private static Listing page(String... keys) {
    return new Listing(List.of(keys).stream().map(key -> new Entry(key, 1, 0)).toList(), true);
  }

  @Test
  void takesKeysThatAscendOverAllPages() throws PermanentDestinationException {
    ListOrder order = new ListOrder(PLACE, "", Optional.of("a"));
    order.check(page("aa", "b", "\uffee"));
    order.check(page("\ud83d\ude00", "\ud83d\ude01")); // in the order of UTF-8
  }

  @Test
  void takesKeysInTheOrderOfUtf16ButNoMixtureOfBoth() throws PermanentDestinationException {
    ListOrder order = new ListOrder(PLACE, "", Optional.empty());
    order.check(page("a", "\ud83d\ude00", "\uffee"));
    assertThrows(
        PermanentDestinationException.class, () -> order.check(page("\ud83d\ude00", "\uffee")));
  }

  @Test
  void refusesAKeyThatComesAgainOrTooLate() throws PermanentDestinationException {
    for (String wrong : List.of("a", "b", "0", "\u001b[2J")) {
      ListOrder order = new ListOrder(PLACE, "", Optional.of("a"));
      order.check(page("b"));
      PermanentDestinationException e =
          assertThrows(PermanentDestinationException.class, () -> order.check(page(wrong)));
      assertTrue(e.getMessage().contains("does not ascend"), e.getMessage());
      assertTrue(e.getMessage().indexOf('\u001b') < 0, "no control character reaches a terminal");
    }
  }
}
