package dev.tailwater.store.simulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Does to files what bad disks and careless people do. */
public final class Damager {
  private Damager() {}

  /** Damages some files, and says what it did. */
  public static List<String> damage(SimulatedFileSystem files, Random random) {
    List<String> done = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<String> names = files.names().stream().filter(name -> !name.equals("LOCK")).toList();
      if (names.isEmpty()) {
        return done;
      }
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(25) == 0) {
        files.delete(name);
        done.add(name + " deleted");
      } else {
        done.add(name + " " + change(files, name, random));
      }
    }
    return done;
  }

  private static String change(SimulatedFileSystem files, String name, Random random) {
    byte[] bytes = files.content(name);
    if (bytes.length == 0) {
      return "empty";
    }
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(random.nextBoolean() ? 60 : 700));
    String what;
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        bytes[from] ^= (byte) (1 << random.nextInt(8));
        what = "flipped at " + from;
      }
      case 2 -> {
        Arrays.fill(bytes, from, to, (byte) 0);
        what = "zeroed from " + from + " to " + to;
      }
      case 3 -> {
        bytes = Arrays.copyOf(bytes, from);
        what = "cut at " + from;
      }
      case 4 -> {
        int more = 1 + random.nextInt(3000);
        bytes = Arrays.copyOf(bytes, bytes.length + more);
        what = "longer by " + more;
      }
      default -> {
        byte[] garbage = new byte[to - from];
        random.nextBytes(garbage);
        System.arraycopy(garbage, 0, bytes, from, garbage.length);
        what = "garbage from " + from + " to " + to;
      }
    }
    files.replace(name, bytes);
    return what;
  }
}
