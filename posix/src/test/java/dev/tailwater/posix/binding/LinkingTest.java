package dev.tailwater.posix.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To link a function takes long: a command links few that it does not call. */
class LinkingTest {
  private static final int MOST_LINKED_TOGETHER = 4;

  private static long handles(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .map(Field::getType)
        .filter(MethodHandle.class::equals)
        .count();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {NameBindings.class, StatusBindings.class, ReadBindings.class, WriteBindings.class})
  void whatEveryCommandUsesIsLinkedInSmallGroups(Class<?> bindings) {
    assertEquals(0, handles(bindings), "linked at the first use of any");
    Class<?>[] groups = bindings.getDeclaredClasses();
    assertTrue(groups.length > 2, "groups: " + groups.length);
    for (Class<?> group : groups) {
      long together = handles(group);
      assertTrue(together > 0 && together <= MOST_LINKED_TOGETHER, group + " links " + together);
    }
  }
}
