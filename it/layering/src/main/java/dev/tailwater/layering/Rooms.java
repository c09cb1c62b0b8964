package dev.tailwater.layering;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The packages of one module, its rooms. Each check fails with an AssertionError that names them.
 */
public final class Rooms {
  /** A room with more classes than that has more than one idea. */
  private static final int MAX_CLASSES = 30;

  /** Of the module whose tests run; others may have packages below the same root. */
  private static final Path COMPILED = Path.of("target", "classes");

  private final String root;
  private final JavaClasses classes;

  private Rooms(String root) {
    this.root = root;
    this.classes = new ClassFileImporter().importPath(COMPILED);
  }

  /** Reads the compiled classes of the module whose tests run. */
  public static Rooms below(String rootPackage) {
    return new Rooms(rootPackage);
  }

  /**
   * Every room is listed, and each uses only rooms listed before it. The root package is {@code
   * "."}.
   */
  public void areInThisOrder(String... roomsFromTheLowest) {
    List<String> rooms = Arrays.asList(roomsFromTheLowest);
    Set<String> unlisted = new TreeSet<>(sizes().keySet());
    rooms.forEach(unlisted::remove);
    if (!unlisted.isEmpty()) {
      throw new AssertionError(
          "rooms of " + root + " that have no place in the order: " + unlisted);
    }
    for (int i = 0; i < rooms.size() - 1; i++) {
      String[] later =
          rooms.subList(i + 1, rooms.size()).stream().map(this::name).toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(name(rooms.get(i)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(classes);
    }
  }

  /** No room is larger than one idea is. */
  public void areNotCrowded() {
    Map<String, Long> crowded = new TreeMap<>(sizes());
    crowded.values().removeIf(size -> size <= MAX_CLASSES);
    if (!crowded.isEmpty()) {
      throw new AssertionError(
          "rooms of " + root + " with more than " + MAX_CLASSES + " classes: " + crowded);
    }
  }

  private Map<String, Long> sizes() {
    return classes.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .collect(Collectors.groupingBy(type -> room(type.getPackageName()), Collectors.counting()));
  }

  private String room(String packageName) {
    return packageName.equals(root) ? "." : packageName.substring(root.length() + 1);
  }

  private String name(String room) {
    return room.equals(".") ? root : root + "." + room;
  }
}
