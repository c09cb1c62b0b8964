package dev.tailwater.it.soak;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * A kind of round: a test that takes its seed from {@code tailwater.seed} and makes as many rounds
 * as {@code tailwater.rounds} says, which is one.
 *
 * @param name one word, for tables and command lines
 * @param testClass with its package
 * @param method empty for all of the class
 * @param roundsInTurn how many are made before it is the next kind's turn
 * @param properties system properties besides the seed
 */
record SoakKind(
    String name,
    String testClass,
    String method,
    int roundsInTurn,
    Map<String, String> properties) {
  private static final int CHEAP = 30;
  private static final int MODERATE = 5;
  private static final Map<String, String> LONG = Map.of("tailwater.soak", "true");

  /** Add a line to make another random test a part of every soak. */
  static final List<SoakKind> ALL =
      List.of(
          it("conservation-ext4", "conservation.ConservationTest", "conservesEveryByteOnExt4"),
          it("conservation-xfs", "conservation.ConservationTest", "conservesEveryByteOnXfs"),
          it("conservation-tmpfs", "conservation.ConservationTest", "conservesEveryByteOnTmpfs"),
          delivery("crash-native", "CrashMatrixTest", "nothing*BeforeAnyNativeCall"),
          delivery("crash-after-native", "CrashMatrixTest", "nothing*AfterAnyNativeCall"),
          delivery("crash-destination", "CrashMatrixTest", "nothing*DestinationCall"),
          slow("crash-merge", "MergeCrashTest"),
          slow("crash-several", "SeveralDestinationsCrashTest"),
          delivery("several-destinations", "SeveralDestinationsRandomTest", ""),
          store("store-crash-log", "log.TransactionLogCrashTest", "*"),
          store("store-crash-data", "datafile.DataFileCrashTest", "*"),
          store("store-crash-vacuum", "datafile.VacuumCrashTest", "*"),
          store("store-crash-zeros", "datafile.ZeroFillCrashTest", "*"),
          store("store-damage-log", "log.TransactionLogFuzzTest", ""),
          store("store-damage-data", "datafile.DataFileFuzzTest", ""),
          store("store-salvage", "datafile.salvage.DataFileSalvageTest", "repairsWhatever*"),
          store("store-vacuum", "datafile.vacuum.VacuumModelTest", "keepsWhatAMapKeeps*"),
          new SoakKind(
              "store-read-paths", "dev.tailwater.store.datafile.ReadPathsTest", "", 2, Map.of()),
          new SoakKind(
              "store-kill", "dev.tailwater.store.datafile.KilledWriterTest", "keeps*", 2, Map.of()),
          new SoakKind("restore", "dev.tailwater.restore.RestorePropertyTest", "", CHEAP, Map.of()),
          archive("archive-growing", "open.GrowingPackTest"),
          archive("archive-packs", "open.PackRoundTripTest"),
          archive("archive-signatures", "open.SignatureTest"),
          archive("archive-hostile", "open.HostileSegmentTest"),
          archive("archive-directories", "pack.PackDirectoryFormatTest"),
          archive("archive-segments", "seal.SegmentComposerTest"),
          watch("watch", "DirectoryWatchPropertyTest"),
          watch("watch-roots", "DirectoryWatchRootsPropertyTest"),
          watch("watch-root-shapes", "DirectoryWatchRootShapesPropertyTest"),
          watch("watch-long-directory", "LongDirectoryTest"),
          heavy("latest-version", "conservation.LatestVersionTest", ""),
          heavy("trees", "TreeShippedTest", ""),
          heavy("death", "DeathDrillTest", ""),
          heavy("logrotate", "LogrotateTest", ""),
          heavy("nginx", "NginxTest", ""),
          heavy("s3-outages", "S3OutagesTest", ""),
          needsLongRun("s3-full", "S3OutagesTest", "aServerWhoseDiskIsFull*"),
          needsLongRun("s3-clock", "S3OutagesTest", "aClock*"),
          heavy("file-server", "FileServerOutagesTest", "a*FileServer*"),
          needsLongRun("file-system-full", "FileServerOutagesTest", "aFullFileSystem*"));

  private static SoakKind it(String name, String test, String method) {
    return new SoakKind(name, "dev.tailwater.it." + test, method, MODERATE, Map.of());
  }

  private static SoakKind heavy(String name, String test, String method) {
    return new SoakKind(name, "dev.tailwater.it." + test, method, 1, Map.of());
  }

  private static SoakKind needsLongRun(String name, String test, String method) {
    return new SoakKind(name, "dev.tailwater.it." + test, method, 1, LONG);
  }

  /** Of the calls at which an agent can die, some. */
  private static SoakKind delivery(String name, String test, String method) {
    return new SoakKind(
        name,
        "dev.tailwater.delivery." + test,
        method,
        MODERATE,
        Map.of("tailwater.crash.sample", "8"));
  }

  private static SoakKind slow(String name, String test) {
    return new SoakKind(
        name, "dev.tailwater.delivery." + test, "", 2, Map.of("tailwater.crash.sample", "3"));
  }

  private static SoakKind store(String name, String test, String method) {
    return new SoakKind(name, "dev.tailwater.store." + test, method, CHEAP, Map.of());
  }

  private static SoakKind archive(String name, String test) {
    return new SoakKind(name, "dev.tailwater.archive." + test, "", MODERATE, Map.of());
  }

  private static SoakKind watch(String name, String test) {
    return new SoakKind(name, "dev.tailwater.io.watch." + test, "", 1, Map.of());
  }

  /** Its tests, of which there is one at least. */
  List<Method> tests() throws ClassNotFoundException {
    String pattern = method.isEmpty() ? ".*" : method.replace("*", ".*");
    List<Method> tests =
        AnnotationSupport.findAnnotatedMethods(
                Class.forName(testClass), Testable.class, HierarchyTraversalMode.TOP_DOWN)
            .stream()
            .filter(found -> found.getName().matches(pattern))
            .toList();
    if (tests.isEmpty()) {
      throw new IllegalStateException("no test " + method + " in " + testClass);
    }
    return tests;
  }
}
