package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much heap the launcher gives an agent, by what the kernel says of memory. */
class AgentHeapTest {
  @TempDir private Path root;

  @BeforeEach
  void makeMachine() throws IOException {
    write("proc/self/cgroup", "1:name=systemd:/\n0::/system.slice/tailwater.service\n");
    machine(8 << 20);
  }

  private void machine(int kibibytes) throws IOException {
    write("proc/meminfo", "MemTotal:       " + kibibytes + " kB\nMemFree:   1 kB\n");
  }

  private void write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private int heapMebibytes() throws Exception {
    return heapMebibytes("");
  }

  private int heapMebibytes(String options) throws Exception {
    Path script = Packaged.built("tailwater.root").resolve("cli/src/main/dist/lib/jvm-options.sh");
    Packaged.Run run =
        Packaged.run(
            root,
            Map.of("TAILWATER_JAVA_OPTS", options),
            List.of(
                "sh",
                "-euc",
                ". \"$0\"; agent_heap \"$1\"; echo \"$heap_mebibytes\"",
                script.toString(),
                root.toString()));
    assertEquals("", run.err());
    return Integer.parseInt(run.out().strip());
  }

  @ParameterizedTest
  @CsvSource({"8388608,256", "1048576,256", "524288,128", "262144,96"})
  void isAQuarterOfTheMachineWithinBounds(int kibibytes, int mebibytes) throws Exception {
    machine(kibibytes);
    assertEquals(mebibytes, heapMebibytes());
  }

  @ParameterizedTest
  @CsvSource({
    "sys/fs/cgroup/memory.max",
    "sys/fs/cgroup/system.slice/tailwater.service/memory.max",
    "sys/fs/cgroup/memory/memory.limit_in_bytes"
  })
  void isAQuarterOfAContainer(String limit) throws Exception {
    write(limit, "536870912\n");
    assertEquals(128, heapMebibytes());
    write(limit, limit.endsWith("max") ? "max\n" : "9223372036854771712\n");
    assertEquals(256, heapMebibytes());
  }

  @Test
  void isTheLeastWhereTheKernelSaysNothing() throws Exception {
    Files.delete(root.resolve("proc/meminfo"));
    assertEquals(96, heapMebibytes());
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmx64m,64",
    "-Xmx2G,2048",
    "-Xmx131072k,128",
    "-Xmx134217728,128",
    "-Xmx2147483648,2048",
    "-Dx=y -Xmx192m -Xlog:gc,192",
    "-Xmx1g -Xmx64m,64"
  })
  void isWhatTheUserSays(String options, int mebibytes) throws Exception {
    assertEquals(mebibytes, heapMebibytes(options));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx",
        "-Xmxm",
        "-Xmx0",
        "-Xmx1",
        "-Xmx9999999999999m",
        "-Xss1m",
        "x-Xmx",
        "-Xmx1g -Xmx08m"
      })
  void isNotWhatNobodyCanMean(String options) throws Exception {
    assertEquals(256, heapMebibytes(options));
  }

  @ParameterizedTest
  @CsvSource({
    "ship logs archive,16m",
    "ship logs archive,64m",
    "ship logs archive,2g",
    "restore archive out,16m",
    "restore archive out,2g",
    "verify archive,16m",
    "ls archive,16m",
    "ls archive,2g"
  })
  void everyGenerationFitsTheHeapThatTheUserGives(String command, String heap) throws Exception {
    Path script = Packaged.built("tailwater.root").resolve("cli/src/main/dist/lib/jvm-options.sh");
    List<String> shell =
        new ArrayList<>(
            List.of(
                "sh",
                "-euc",
                ". \"$0\"; jvm_options \"$@\";"
                    + " exec \"$JAVA\" $options $TAILWATER_JAVA_OPTS -Xlog:all=warning -Xlog:gc+ergo"
                    + " -version",
                script.toString()));
    shell.addAll(List.of(command.split(" ")));
    Packaged.Run run =
        Packaged.run(
            root,
            Map.of(
                "TAILWATER_JAVA_OPTS",
                "-Xmx" + heap,
                "JAVA",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()),
            shell);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.out(), "the JVM has to make the generations fit");
  }
}
