package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.Marker;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The collection that takes little memory does what that of the JDK does. */
final class MarkersTest {
  private static final int STEPS = 2_000;

  @ParameterizedTest
  @ValueSource(ints = {2, 20})
  void offsetsHaveTheMarkersThatATreeHas(int most) {
    Random random = new Random(most);
    Markers markers = new Markers();
    TreeMap<Long, Marker> expected = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      long offset = random.nextInt(most);
      if (random.nextInt(3) > 0) {
        Marker marker = new Marker(1, step);
        markers.put(offset, marker);
        expected.put(offset, marker);
      } else {
        markers.removeBelow(offset);
        expected.headMap(offset).clear();
      }
      for (long asked = 0; asked <= most; asked++) {
        assertEquals(Optional.ofNullable(expected.get(asked)), markers.find(asked));
      }
    }
  }
}
