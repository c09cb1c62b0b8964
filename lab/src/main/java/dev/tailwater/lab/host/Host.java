package dev.tailwater.lab.host;

import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** The facts about this host. */
public final class Host {
  private Host() {}

  /**
   * Returns the current facts.
   *
   * @param directory on the mount that is measured
   * @throws ErrnoException the directory cannot be opened; other unknown facts are left out
   */
  public static HostFacts facts(FileCalls calls, Path directory) throws ErrnoException {
    return facts(new SystemFiles(Path.of("/")), calls, directory);
  }

  static HostFacts facts(SystemFiles files, FileCalls calls, Path directory) throws ErrnoException {
    FactList facts = new FactList();
    new BusyFacts(files, Runtime.getRuntime().availableProcessors()).addTo(facts);
    new MachineFacts(files).addTo(facts);
    new ProcessorFacts(files).addTo(facts);
    new MemoryFacts(files).addTo(facts);
    new MountFacts(files, calls).addTo(facts, PosixPath.of(directory));
    facts.add("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.add("garbage collector", collector());
    facts.add("heap at most", MemoryFacts.size(Runtime.getRuntime().maxMemory()));
    return facts.toHostFacts();
  }

  private static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }
}
