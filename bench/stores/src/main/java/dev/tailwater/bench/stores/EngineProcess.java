package dev.tailwater.bench.stores;

import dev.tailwater.lab.measure.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An {@link EngineChild}, seen from the process that tells it what to do. */
final class EngineProcess implements AutoCloseable {
  /** What Chronicle Map and lmdbjava need of JDK 25; the same for every engine. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "-Dchronicle.analytics.disable=true",
          "-Dlmdbjava.disable.checks=true");

  private final EngineKind kind;
  private final ChildJvm child;

  private EngineProcess(EngineKind kind, ChildJvm child) {
    this.kind = kind;
    this.child = child;
  }

  static EngineProcess start(EngineKind kind, Dataset dataset, Path directory, int heapMebibytes)
      throws IOException {
    List<String> options = new ArrayList<>(JVM_OPTIONS);
    options.add("-Xmx" + (heapMebibytes + kind.extraHeapMebibytes()) + "m");
    List<String> arguments =
        List.of(
            kind.label(),
            Long.toString(dataset.count()),
            Integer.toString(dataset.valueBytes()),
            directory.toString());
    return new EngineProcess(
        kind, ChildJvm.start(kind.label(), List.of(), options, EngineChild.class, arguments));
  }

  EngineKind kind() {
    return kind;
  }

  /** Has the child do this, and gives its answer. */
  double[] ask(Object... words) throws IOException {
    return child.ask(words);
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    child.kill();
  }

  /** Ends the process; what is open is closed before by a command, or not at all. */
  @Override
  public void close() throws IOException {
    child.close();
  }
}
