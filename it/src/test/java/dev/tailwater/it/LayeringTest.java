package dev.tailwater.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The order of the modules, as docs/architecture.md gives it, holds in the code. */
class LayeringTest {
  private static final String ROOT = "dev.tailwater.";
  private static final String POSIX = ROOT + "posix";

  /** A module uses only modules before it. */
  private static final List<String> MODULES =
      List.of(
          "posix", "io", "store", "archive", "destination", "delivery", "restore", "cli", "lab");

  /**
   * What machines in production have; the plug-ins for destinations are below {@code destination}.
   */
  private static final List<String> PRODUCTION = MODULES.subList(0, MODULES.indexOf("lab"));

  /** What tests, benchmarks and the lab use. */
  private static final String[] TEST_KITS = {
    ROOT + "posix.testkit..", ROOT + "destination.testkit.."
  };

  /** Within {@code delivery}, a room uses only rooms before it. */
  private static final List<String> ROOMS_OF_DELIVERY =
      List.of(
          "time",
          "tempo",
          "problem",
          "command",
          "measure",
          "thread",
          "hang",
          "neighbour",
          "risk",
          "sums",
          "blocks",
          "staging",
          "life",
          "stream",
          "checkpoint",
          "trust",
          "receipt",
          "route",
          "hook",
          "notice",
          "pack",
          "tail",
          "quiet",
          "room",
          "source",
          "open",
          "due",
          "worker",
          "deliver",
          "merge",
          "resume",
          "seal",
          "compare",
          "keeper",
          "watch",
          "tree",
          "drain",
          "config",
          "status",
          "control");

  /** Kinds of destinations with a class loader of their own. */
  private static final List<String> PLUGINS = List.of("s3", "gcs", "azure", "hdfs");

  private static JavaClasses classes = new ClassFileImporter().importClasses();

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("testkit"))
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.tailwater");
  }

  @Test
  void everyModuleIsThere() {
    List<String> seen =
        classes.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ROOT))
            .map(name -> name.substring(ROOT.length()).split("\\.", 2)[0])
            .distinct()
            .collect(Collectors.toCollection(ArrayList::new));
    seen.remove("it");
    assertTrue(seen.containsAll(MODULES) && MODULES.containsAll(seen), "modules are " + seen);
  }

  @Test
  void noModuleUsesOneThatComesAfterIt() {
    noneUsesALaterOne(ROOT, MODULES);
  }

  @Test
  void nothingInProductionUsesATestKit() {
    for (String module : PRODUCTION) {
      noneUses(ROOT + module + "..", TEST_KITS);
    }
  }

  @Test
  void onlyTheImplementationOfPosixKnowsHowFunctionsAreBound() {
    noneUses(POSIX + ".value", POSIX + ".binding..", POSIX + ".linux..");
    noneUses(POSIX, POSIX + ".binding..", POSIX + ".linux..");
    noClasses()
        .that()
        .resideOutsideOfPackages(POSIX + ".binding", POSIX + ".linux")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(POSIX + ".binding")
        .check(classes);
  }

  @Test
  void onlyTheStateOfAnAgentNeedsDataFiles() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "delivery..")
        .and()
        .resideOutsideOfPackage(ROOT + "delivery.checkpoint")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + "store.datafile..")
        .check(classes);
    noneUses(ROOT + "restore..", ROOT + "store.datafile..");
  }

  private static void noneUses(String users, String... used) {
    noClasses()
        .that()
        .resideInAPackage(users)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(used)
        .check(classes);
  }

  @Test
  void noRoomOfDeliveryUsesOneThatComesAfterItNorTheAgent() {
    noneUsesALaterOne(ROOT + "delivery.", ROOMS_OF_DELIVERY);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "delivery.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + "delivery")
        .check(classes);
  }

  @Test
  void everyRoomOfDeliveryHasAPlaceInTheOrder() {
    String delivery = ROOT + "delivery.";
    Set<String> rooms =
        classes.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(delivery))
            .map(name -> name.substring(delivery.length()).split("\\.", 2)[0])
            .collect(Collectors.toSet());
    assertEquals(Set.copyOf(ROOMS_OF_DELIVERY), rooms);
  }

  private static void noneUsesALaterOne(String prefix, List<String> names) {
    for (int i = 0; i < names.size() - 1; i++) {
      String[] later =
          names.subList(i + 1, names.size()).stream()
              .map(name -> prefix + name + "..")
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(prefix + names.get(i) + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(classes);
    }
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.tailwater.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void onlyPosixLinksNativeCode() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.tailwater.posix..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.Linker")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.SymbolLookup")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.FunctionDescriptor")
        .check(classes);
  }

  @Test
  void eachLibraryIsSeenInOneModule() {
    onlyIn("archive", "com.github.luben..");
    onlyIn("archive", "com.exceptionfactory..");
    onlyIn("cli", "org.snakeyaml..");
    onlyIn("lab", "org.openjdk.jmh..");
    onlyIn("lab", "org.jfree..");
    onlyIn("lab", "org.apache.batik..");
    // A command brings its options and its progress along.
    onlyIn(List.of("cli", "lab.command"), "picocli..");
    onlyIn(List.of("cli", "lab.command"), "me.tongfei..");
  }

  @Test
  void nothingKnowsAPlugInAndAPlugInKnowsOnlyTheInterfaces() {
    for (String plugin : PLUGINS) {
      String inside = ROOT + "destination." + plugin + "..";
      noClasses()
          .that()
          .resideOutsideOfPackages(inside, ROOT + "it..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(inside)
          .check(classes);
      // The rest is not there when the program runs: see PluginClassLoader.
      noClasses()
          .that()
          .resideInAPackage(inside)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.tailwater..")
                  .and(
                      not(
                          resideInAnyPackage(
                              inside,
                              ROOT + "destination",
                              ROOT + "destination.cloud..",
                              ROOT + "posix..",
                              ROOT + "io.."))))
          .check(classes);
    }
    onlyIn("destination.s3", "software.amazon..");
    onlyIn("destination.s3", "org.apache.hc..");
    onlyIn("destination.gcs", "com.google.auth..");
    onlyIn("destination.gcs", "com.google.gson..");
    onlyIn("destination.hdfs", "org.apache.hadoop..");
  }

  private static void onlyIn(String module, String library) {
    onlyIn(List.of(module), library);
  }

  private static void onlyIn(List<String> modules, String library) {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            modules.stream().map(module -> ROOT + module + "..").toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(classes);
  }
}
