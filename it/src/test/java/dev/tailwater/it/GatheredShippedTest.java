package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged program makes long segments of what slow logs have gathered in packs, and {@code
 * compact} leaves it out of the packs.
 */
class GatheredShippedTest {
  private static final int LOGS = 6;
  private static final int MERGE_TO = 64 << 10;
  private static final Pattern SEGMENT = Pattern.compile("(\\d{19})-(\\d{19})\\.zst(\\.age)?");

  @TempDir private Path directory;

  private final Random random = new Random(5);

  private void append(Site site) throws IOException {
    for (int log = 0; log < LOGS; log++) {
      byte[] text = new byte[1500 + random.nextInt(3000)];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) (i % 90 == 89 ? '\n' : 'a' + random.nextInt(20));
      }
      Files.write(
          site.log("slow-" + log), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private static long gathered(Site site) throws IOException {
    Optional<String> status = site.asked().status();
    return status.isEmpty()
        ? 0
        : JsonText.parse(status.get())
            .objects("destinations")
            .getFirst()
            .number("gatheredSegments");
  }

  private static List<String> longSegments(Site site, String log) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path object : site.segments()) {
      Matcher name = SEGMENT.matcher(object.getFileName().toString());
      if (name.matches() && object.toString().contains("/" + log + "/")) {
        long length = Long.parseLong(name.group(2)) - Long.parseLong(name.group(1));
        assertTrue(length >= MERGE_TO, object.toString());
        names.add(object.toString());
      }
    }
    return names;
  }

  private static String signingKey(Site site, String file) throws Exception {
    Packaged.Run keygen = site.tailwater("keygen", "--signing", "-o", file);
    assertEquals(0, keygen.exitCode(), keygen.err());
    return keygen.err().strip().replace("Public key: ", "");
  }

  private static Packaged.Run compact(Site site, List<String> options) throws Exception {
    List<String> command = new ArrayList<>(List.of("compact", "archive", "--older", "0s"));
    command.addAll(List.of("--signing-key-file", "compactor.key", "--trust", "trusted"));
    command.addAll(options);
    Packaged.Run compact = site.tailwater(command.toArray(String[]::new));
    assertEquals(0, compact.exitCode(), compact.err());
    return compact;
  }

  private static void readBack(Site site, List<String> reading) throws Exception {
    site.restoreAndCompare(reading.toArray(String[]::new));
    List<String> verify = new ArrayList<>(List.of("verify", "archive"));
    verify.addAll(reading);
    Packaged.Run verified = site.tailwater(verify.toArray(String[]::new));
    assertEquals(0, verified.exitCode(), verified.err());
    List<String> cat = new ArrayList<>(List.of("cat"));
    cat.addAll(reading);
    cat.addAll(List.of("archive", site.log("slow-3").toString()));
    Packaged.Run printed = site.tailwater(cat.toArray(String[]::new));
    assertEquals(0, printed.exitCode(), printed.err());
    assertEquals(Files.readString(site.log("slow-3")), printed.out());
  }

  private void shipAndCompact(List<String> shipping, List<String> reading, List<String> compacting)
      throws Exception {
    try (Site site = new Site(directory)) {
      String trusted =
          "web-1 "
              + signingKey(site, "agent.key")
              + "\ncompactor night "
              + signingKey(site, "compactor.key")
              + "\n";
      Files.writeString(site.base().resolve("trusted"), trusted);
      List<String> options =
          new ArrayList<>(List.of("--packs", "on", "--max-age", "20ms", "--merge-to", "64KiB"));
      options.addAll(List.of("--signing-key-file", "agent.key"));
      options.addAll(shipping);
      Process agent = site.agent(options.toArray(String[]::new));
      Site.await(
          "each log has long segments",
          () -> {
            append(site);
            Thread.sleep(30);
            return gathered(site) >= 2 * LOGS;
          });
      site.stop(agent, 0);
      for (int log = 0; log < LOGS; log++) {
        assertTrue(!longSegments(site, "slow-" + log).isEmpty(), "slow-" + log);
      }
      List<String> trusting = new ArrayList<>(List.of("--trust", "trusted"));
      trusting.addAll(reading);
      readBack(site, trusting);
      Packaged.Run first = compact(site, compacting);
      assertTrue(first.err().contains("left out, since segments have it"), first.err());
      readBack(site, trusting);
      assertTrue(compact(site, compacting).err().contains("tailwater: 0 of "));
      append(site);
      List<String> again = new ArrayList<>(List.of("--packs", "on"));
      again.addAll(List.of("--signing-key-file", "agent.key"));
      again.addAll(shipping);
      Packaged.Run ship = site.shipOnce(again.toArray(String[]::new));
      assertEquals(0, ship.exitCode(), ship.err());
      readBack(site, trusting);
    }
  }

  @Test
  void slowLogsEndUpInLongSegmentsAndLeaveThePacks() throws Exception {
    shipAndCompact(List.of(), List.of(), List.of());
  }

  @Test
  void theyDoWhereTheyAreEncrypted() throws Exception {
    String recipient = StandardToolsTest.keygen(directory, "key.txt");
    shipAndCompact(
        List.of("--encrypt-to", recipient),
        List.of("--identity", "key.txt"),
        List.of("--identity", "key.txt", "--recipient", recipient));
  }
}
