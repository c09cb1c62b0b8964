package dev.tailwater.lab.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kernel, the distribution, and whether the machine is physical or virtual. */
record MachineFacts(SystemFiles files) {
  /** Words in the control group of a process in a container. */
  private static final List<String> CONTAINERS =
      List.of("docker", "kubepods", "lxc", "containerd", "podman");

  void addTo(FactList facts) {
    facts.add("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.add("distribution", files.value("etc/os-release", "PRETTY_NAME"));
    facts.add("machine", machine());
    facts.add("load average", files.text("proc/loadavg").map(MachineFacts::threeMeans));
  }

  private Optional<String> machine() {
    List<String> seen = new ArrayList<>();
    model().ifPresent(seen::add);
    if (hasFlag("hypervisor") || files.exists("sys/hypervisor/type")) {
      seen.add("virtual");
    }
    if (inContainer()) {
      seen.add("in a container");
    }
    return seen.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", seen));
  }

  /** Returns the vendor's name of the model, which is the type of the instance in clouds. */
  private Optional<String> model() {
    String model =
        Stream.of("sys_vendor", "product_name")
            .map(name -> files.text("sys/class/dmi/id/" + name))
            .flatMap(Optional::stream)
            .filter(text -> !text.startsWith("To be filled"))
            .distinct()
            .collect(Collectors.joining(" "));
    return model.isEmpty() ? Optional.empty() : Optional.of(model);
  }

  private boolean hasFlag(String flag) {
    return files.value("proc/cpuinfo", "flags").stream()
        .flatMap(flags -> Stream.of(flags.split(" ", -1)))
        .anyMatch(flag::equals);
  }

  private boolean inContainer() {
    String group = files.text("proc/1/cgroup").orElse("");
    return files.exists(".dockerenv")
        || files.exists("run/.containerenv")
        || CONTAINERS.stream().anyMatch(group::contains);
  }

  private static String threeMeans(String loadAverage) {
    return Stream.of(loadAverage.split(" ", -1)).limit(3).collect(Collectors.joining(" "));
  }
}
