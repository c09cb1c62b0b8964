package dev.tailwater.posix.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** To link a function takes longer than many a program runs, so each is linked alone. */
class LinkingTest {
  private static List<Class<?>> classes() throws Exception {
    Path root = Path.of(Binder.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertTrue(Files.isDirectory(root), root + " is not the directory of the compiled classes");
    try (Stream<Path> files = Files.list(root.resolve("dev/tailwater/posix/binding"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains("Bindings") && name.endsWith(".class"))
          .<Class<?>>map(name -> named(name.replace(".class", "")))
          .toList();
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName("dev.tailwater.posix.binding." + name, false, loader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static ClassLoader loader() {
    return Binder.class.getClassLoader();
  }

  private static long handles(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .map(Field::getType)
        .filter(MethodHandle.class::equals)
        .count();
  }

  @Test
  void theFirstUseOfAGroupLinksNothing() throws Exception {
    List<Class<?>> groups = classes().stream().filter(type -> !type.isMemberClass()).toList();
    assertTrue(groups.size() > 8, groups.toString());
    for (Class<?> group : groups) {
      assertEquals(0, handles(group), group + " links functions that may not be called");
    }
  }

  @Test
  void eachFunctionIsLinkedAlone() throws Exception {
    List<Class<?>> functions =
        classes().stream().filter(Class::isMemberClass).filter(type -> handles(type) > 0).toList();
    assertTrue(functions.size() > 60, functions.toString());
    for (Class<?> function : functions) {
      assertEquals(1, handles(function), function + " links several functions");
    }
  }
}
