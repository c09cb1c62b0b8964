package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running agent without its state says of objects that claim to be its own. */
class UntrustedShippedTest {
  private static final Pattern OF_OTHERS =
      Pattern.compile("signatures +ed25519:\\S+; objects of others, .*believed: (\\d+)");

  @TempDir private Path directory;

  @Test
  void statusItsJsonAndTheMetricsCountWhatIsNotBelieved() throws Exception {
    try (Site site = new Site(directory)) {
      Path log = Files.writeString(site.log("a.log"), "a line\n");
      assertEquals(0, site.tailwater("keygen", "--signing", "-o", "agent.key").exitCode());
      assertEquals(0, site.shipOnce().exitCode()); // With a key of its own.
      loseState(site);
      Process agent = site.agent("--signing-key-file", "agent.key");
      site.awaitDelivered(log);

      Matcher said = OF_OTHERS.matcher(status(site));
      assertTrue(said.find(), status(site));
      String objects = said.group(1);
      assertFalse(objects.equals("0"));
      JsonText json = JsonText.parse(status(site, "--json"));
      assertTrue(json.isTrue("signaturesRequired"));
      JsonText destination = json.objects("destinations").getFirst();
      assertEquals(Long.parseLong(objects), destination.number("untrustedObjects"));
      String metrics = status(site, "--metrics");
      assertTrue(
          Pattern.compile("tailwater_destination_untrusted_objects\\{.*\\} " + objects + "\n")
              .matcher(metrics)
              .find(),
          metrics);
      site.stop(agent);
    }
  }

  @Test
  void statusSaysThatNobodyChecksWhereTheKeyIsLostWithTheState() throws Exception {
    try (Site site = new Site(directory)) {
      Files.writeString(site.log("a.log"), "a line\n");
      Process agent = site.agent();
      assertTrue(status(site).contains("the key is in the state directory only"), status(site));
      assertFalse(JsonText.parse(status(site, "--json")).isTrue("signaturesRequired"));
      site.stop(agent, 0);
    }
  }

  private static void loseState(Site site) throws Exception {
    Files.move(site.base().resolve("state"), site.base().resolve("lost"));
  }

  private static String status(Site site, String... options) throws Exception {
    String[] all = new String[options.length + 3];
    System.arraycopy(new String[] {"status", "--state", "state"}, 0, all, 0, 3);
    System.arraycopy(options, 0, all, 3, options.length);
    return site.tailwater(all).out();
  }
}
