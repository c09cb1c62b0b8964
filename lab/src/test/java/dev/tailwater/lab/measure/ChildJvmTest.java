package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
  /** Answers its number of words, until it is told to fail. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        if (line.equals("fail")) {
          System.err.println("the disk is full");
          System.exit(1);
        }
        System.out.println(line.split(" ", -1).length + " 0.5");
      }
    }
  }

  @Test
  void answersAndSaysWhyItEnded() throws Exception {
    try (ChildJvm child =
        ChildJvm.start("the child", List.of(), List.of("-Xmx32m"), Child.class, List.of())) {
      assertArrayEquals(new double[] {3, 0.5}, child.ask("one", 2, true));
      IOException ended = assertThrows(IOException.class, () -> child.ask("fail"));
      assertEquals("the child ended at: fail; it said: the disk is full", ended.getMessage());
    }
  }
}
