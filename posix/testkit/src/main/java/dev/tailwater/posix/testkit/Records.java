package dev.tailwater.posix.testkit;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Copies of public records that differ in some components, for those with many. */
public final class Records {
  private Records() {}

  /**
   * Returns a record that is like another one but for some components.
   *
   * @param changed the other values, by the names of their components
   * @throws IllegalArgumentException if there is no such component, or a value is of another type
   */
  public static <R extends Record> R like(R original, Map<String, ?> changed) {
    RecordComponent[] components = original.getClass().getRecordComponents();
    Set<String> unknown = new HashSet<>(changed.keySet());
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        String name = components[i].getName();
        types[i] = components[i].getType();
        values[i] =
            unknown.remove(name) ? changed.get(name) : components[i].getAccessor().invoke(original);
      }
      if (!unknown.isEmpty()) {
        throw new IllegalArgumentException(
            "no components of " + Arrays.toString(components) + ": " + unknown);
      }
      @SuppressWarnings("unchecked")
      Class<R> type = (Class<R>) original.getClass();
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot copy " + original, e);
    }
  }
}
