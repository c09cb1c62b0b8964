package dev.tailwater.lab.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {
  @TempDir private Path directory;

  private void put(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Map<String, String> byName(HostFacts facts) {
    return facts.facts().stream()
        .collect(Collectors.toMap(HostFacts.Fact::name, HostFacts.Fact::value));
  }

  private static String fact(Map<String, String> facts, String name) {
    return facts.getOrDefault(name, "");
  }

  @Test
  void readsWhatTheKernelTells() throws IOException {
    put("etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    put(
        "proc/cpuinfo",
        "processor\t: 0\nmodel name\t: A CPU @ 2: 3 GHz\nflags\t\t: fpu hypervisor\n");
    put(
        "proc/meminfo",
        "MemTotal:        8156428 kB\nMemAvailable:   524288 kB\nSwapTotal: 0 kB\n");
    put("proc/loadavg", "0.10 0.20 0.30 1/234 5678\n");
    put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    put("sys/class/dmi/id/product_name", "m5.large\n");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    String cache = "sys/devices/system/cpu/cpu0/cache/";
    put(cache + "index0/level", "1\n");
    put(cache + "index0/type", "Data\n");
    put(cache + "index0/size", "48K\n");
    put(cache + "index1/level", "3\n");
    put(cache + "index1/type", "Unified\n");
    put(cache + "index1/size", "32768K\n");
    put("sys/fs/cgroup/memory.max", "536870912\n");
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    put(".dockerenv", "");
    Map<String, String> facts =
        byName(Host.facts(new SystemFiles(directory), LinuxFileCalls.create(), directory));
    assertEquals("Debian GNU/Linux 12", facts.get("distribution"));
    assertEquals("A CPU @ 2: 3 GHz", facts.get("processor"));
    assertEquals("Amazon EC2 m5.large, virtual, in a container", facts.get("machine"));
    assertEquals("7.8 GiB", facts.get("memory"));
    assertEquals("512 MiB", facts.get("memory available"));
    assertEquals("512 MiB", facts.get("memory limit"));
    assertEquals("madvise", facts.get("transparent huge pages"));
    assertEquals("L1d 48 KiB, L3 32 MiB", facts.get("processor caches"));
    assertEquals("0.10 0.20 0.30", facts.get("load average"));
    assertFalse(facts.containsKey("processor time limit"));
  }

  @Test
  void saysThatOthersUseTheMachine() throws IOException {
    put("proc/loadavg", "26.00 9.10 3.00 1/234 5678\n");
    put("proc/pressure/cpu", "some avg10=85.20 avg60=1.00 avg300=0.00 total=1\n");
    FactList facts = new FactList();
    new BusyFacts(new SystemFiles(directory), 2).addTo(facts);
    assertEquals(
        "load average 26.0 on 2 processors; programs waited for a processor 85 % of the time, for"
            + " a disk 0 %",
        facts.toHostFacts().busy().orElseThrow());
    put("proc/loadavg", "0.30 9.10 3.00 1/234 5678\n");
    assertTrue(isBusy(), "by pressure alone");
    put("proc/pressure/cpu", "some avg10=1.20 avg60=1.00 avg300=0.00 total=1\n");
    put("proc/pressure/io", "some avg10=12.00 avg60=1.00 avg300=0.00 total=1\n");
    assertTrue(isBusy(), "by disks alone");
    put("proc/pressure/io", "some avg10=0.00 avg60=1.00 avg300=0.00 total=1\n");
    assertFalse(isBusy(), "it is quiet");
    Files.delete(directory.resolve("proc/pressure/io"));
    Files.delete(directory.resolve("proc/loadavg"));
    assertFalse(isBusy(), "nothing is known");
  }

  private static String machine(int user, int idle, int stolen) {
    return "cpu  %d 0 100 %d 50 0 0 %d 0 0\ncpu0 1 2 3\n".formatted(user, idle, stolen);
  }

  private static String process(int user, int children) {
    return "7 (a ) b) S 1 7 7 0 -1 4194304 9 9 0 0 %d 10 %d 20 20 0 1 0 5\n"
        .formatted(user, children);
  }

  @Test
  void saysThatOthersTookTheProcessorsMeanwhile() throws IOException {
    put("proc/stat", machine(1000, 1000, 0));
    put("proc/self/stat", process(100, 100));
    OtherPrograms others = OtherPrograms.in(new SystemFiles(directory));
    HostFacts before = new HostFacts(List.of(new HostFacts.Fact("kernel", "Linux")));
    put("proc/stat", machine(1900, 1000, 100));
    put("proc/self/stat", process(200, 300));
    HostFacts after = others.addTo(before);
    assertEquals(
        Optional.of(
            "during the measurements other programs took 60 % of the processors' time, and other"
                + " virtual machines 10 %"),
        after.busy());
    assertEquals("Linux", fact(byName(after), "kernel"));
    HostFacts already =
        new HostFacts(List.of(new HostFacts.Fact(HostFacts.BUSY, "load average 9.0")));
    assertTrue(others.addTo(already).busy().orElseThrow().startsWith("load average 9.0; during"));
  }

  @Test
  void doesNotCountWhatTheLabDoesAsThatOfOthers() throws IOException {
    put("proc/stat", machine(1000, 1000, 0));
    put("proc/self/stat", process(100, 100));
    OtherPrograms others = OtherPrograms.in(new SystemFiles(directory));
    HostFacts before = new HostFacts(List.of());
    put("proc/stat", machine(2000, 1000, 0));
    put("proc/self/stat", process(500, 600));
    assertEquals(before, others.addTo(before), "a tenth is the kernel's");
    Files.delete(directory.resolve("proc/self/stat"));
    assertEquals(before, others.addTo(before), "nothing is known");
    put("proc/self/stat", "7 (a) S x\n");
    assertEquals(before, others.addTo(before), "nothing is understood");
  }

  private boolean isBusy() {
    FactList facts = new FactList();
    new BusyFacts(new SystemFiles(directory), 2).addTo(facts);
    return facts.toHostFacts().busy().isPresent();
  }

  @Test
  void knowsTheMountAndTheJvmWhereTheKernelTellsNothing() throws IOException {
    Map<String, String> facts =
        byName(Host.facts(new SystemFiles(directory), LinuxFileCalls.create(), directory));
    assertTrue(fact(facts, "kernel").startsWith("Linux "), facts.toString());
    assertFalse(fact(facts, "file system").isEmpty());
    assertTrue(fact(facts, "block size").endsWith(" bytes"), facts.toString());
    assertTrue(fact(facts, "JDK").contains(Runtime.version().toString()), facts.toString());
    assertFalse(facts.containsKey("memory"), facts.toString());
  }

  @Test
  void doesNotNameThisHostNorThePlace() throws IOException {
    String facts = Host.facts(LinuxFileCalls.create(), directory).toString();
    assertFalse(facts.contains(directory.toString()), facts);
    assertFalse(facts.contains(InetAddress.getLocalHost().getHostName()), facts);
  }

  @Test
  void keepsOfMountOptionsWhatNamesNobody() {
    assertEquals(
        "rw,noac,vers=4.2,wsize=131072,sec=sys",
        MountFacts.options(
            List.of(
                "rw",
                "noac",
                "vers=4.2",
                "addr=server.example.com",
                "clientaddr=10.1.2.3",
                "x=10.1.2.3:5",
                "y=fe80::1",
                "username=eve",
                "upperdir=/var/lib/x",
                "wsize=131072",
                "a b",
                "sec=sys")));
  }
}
