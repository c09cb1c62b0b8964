package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the paths of keys, and of the names of temporary files. */
class NamesTest {
  @Test
  void keysOfAgentsAreTheirPaths() {
    String key = "web-1/var%2Flog/a.log/0197-5-2/000000000000-000000001000.zst.age";
    assertEquals(key, PathNames.ofKey(key));
  }

  @Test
  void writesWhatHdfsRefusesInAnotherWay() {
    assertEquals("a\uA789b/c", PathNames.ofKey("a:b/c"));
    assertEquals("a/\u2E40.snapshot", PathNames.ofKey("a/.snapshot"));
    assertEquals("a.snapshot/b", PathNames.ofKey("a.snapshot/b"));
  }

  @Test
  void everyKeyHasAPathOfItsOwnThatLeadsBack() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> pieces = List.of(":", "\uA789", "\u2E40", "a", ".snapshot", ".reserved");
    Set<String> names = new HashSet<>();
    Set<String> components = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder component = new StringBuilder();
      for (int length = 1 + random.nextInt(4); length > 0; length--) {
        component.append(pieces.get(random.nextInt(pieces.size())));
      }
      String name = PathNames.ofComponent(component.toString());
      assertEquals(component.toString(), PathNames.toComponent(name), "seed " + seed);
      assertFalse(name.contains(":") || name.equals(".snapshot"), name);
      names.add(name);
      components.add(component.toString());
    }
    assertEquals(components.size(), names.size(), "seed " + seed);
  }

  @Test
  void aNameSaysWhoseItIs() throws IOException {
    Owner self = Owner.self();
    assertEquals(Optional.of(self), Owner.of(self.namePrefix() + "0123-1"));
    assertFalse(self.isOver());
    assertEquals(Optional.empty(), Owner.of("part-00000"));
    assertEquals(Optional.empty(), Owner.of(".x"));
  }

  @Test
  void knowsWhichProcessesAreOver() throws Exception {
    Owner self = Owner.self();
    assertTrue(
        new Owner("h", self.space(), self.pid(), self.startTicks() - 1).isOver(),
        "its id is used again");
    assertFalse(
        new Owner("h", self.space() + 1, self.pid(), 1).isOver(), "nothing is known elsewhere");
    Process process = new ProcessBuilder("sleep", "0").start();
    process.waitFor();
    assertTrue(new Owner("h", self.space(), process.pid(), self.startTicks()).isOver());
  }

  @Test
  void aHiddenProcessIsNotTakenForOneThatIsOver() {
    String open = "proc /proc proc rw,nosuid,relatime 0 0";
    assertFalse(Owner.hidesProcesses(List.of("/dev/sda1 / ext4 rw 0 0", open)));
    assertFalse(Owner.hidesProcesses(List.of("proc /proc proc rw,hidepid=off 0 0")));
    for (String value : List.of("noaccess", "invisible", "ptraceable", "1", "2", "4")) {
      assertTrue(
          Owner.hidesProcesses(List.of(open, "proc /proc proc rw,hidepid=" + value + " 0 0")),
          value);
    }
  }
}
