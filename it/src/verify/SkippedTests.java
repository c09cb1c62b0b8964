import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Lists the tests that a run skipped, each with its reason, from the reports of Surefire. Started
 * from its source by {@code ./verify}, which is why it lies in no package and uses the JDK only.
 *
 * <p>Arguments: the root of the project, a file that is older than the reports of this run, and
 * optionally a file of reasons that are legitimate, one regular expression a line. With it, a skip
 * for another reason is a failure: exit code 1.
 */
public final class SkippedTests {
  private static final String NO_REASON = "no reason is given";

  private record Skip(String module, String test, String reason) {}

  private int tests;
  private final Map<String, int[]> modules = new LinkedHashMap<>();
  private final List<Skip> skips = new ArrayList<>();

  private SkippedTests() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    FileTime since = Files.getLastModifiedTime(Path.of(arguments[1]));
    SkippedTests found = new SkippedTests();
    for (Path report : reports(root, since)) {
      // MODULE/target/surefire-reports/TEST-….xml
      found.read(root.relativize(report.getParent().getParent().getParent()).toString(), report);
    }
    found.print();
    if (arguments.length > 2) {
      System.exit(found.requireLegitimate(Path.of(arguments[2])) ? 0 : 1);
    }
  }

  private static List<Path> reports(Path root, FileTime since) throws IOException {
    List<Path> reports = new ArrayList<>();
    try (Stream<Path> modules = Files.walk(root, 2).sorted()) { // Some lie in another one's folder.
      for (Path module : modules.toList()) {
        File[] files = module.resolve("target/surefire-reports").toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
          if (file.getName().matches("TEST-.*\\.xml")
              && Files.getLastModifiedTime(file.toPath()).compareTo(since) >= 0) {
            reports.add(file.toPath());
          }
        }
      }
    }
    return reports;
  }

  private void read(String module, Path report) throws Exception {
    Element suite =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    NodeList cases = suite.getElementsByTagName("testcase");
    int[] counts = modules.computeIfAbsent(module, _ -> new int[2]);
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      NodeList skipped = test.getElementsByTagName("skipped");
      counts[0]++;
      if (skipped.getLength() > 0) {
        counts[1]++;
        String name = test.getAttribute("classname").replaceFirst(".*\\.", "");
        String reason = reason((Element) skipped.item(0));
        skips.add(new Skip(module, name + "." + test.getAttribute("name"), reason));
      }
    }
    tests += cases.getLength();
  }

  /** Of an assumption it is the first line of a stack trace, else an attribute. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message");
    String text = message.isEmpty() ? skipped.getTextContent().strip() : message;
    String line = text.lines().findFirst().orElse("");
    line = line.replaceFirst("^org\\.opentest4j\\.TestAbortedException(: |$)", "");
    line = line.replaceFirst("^Assumption failed: ", "");
    return line.isEmpty() ? NO_REASON : line;
  }

  private void print() {
    modules.forEach(
        (module, counts) ->
            System.out.printf("verify: %-20s %5d tests, %d skipped%n", module, counts[0], counts[1]));
    System.out.println("verify: " + tests + " tests, " + skips.size() + " skipped");
    for (Skip skip : skips) {
      System.out.println("verify: skipped in " + skip.module + ": " + line(skip));
    }
  }

  private static String line(Skip skip) {
    return skip.test + ": " + skip.reason;
  }

  private boolean requireLegitimate(Path reasons) throws IOException {
    List<Pattern> legitimate =
        Files.readAllLines(reasons).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Pattern::compile)
            .toList();
    boolean all = true;
    for (Skip skip : skips) {
      if (legitimate.stream().noneMatch(pattern -> pattern.matcher(skip.reason).find())) {
        System.out.println("verify: FAILED, must not be skipped here: " + line(skip));
        all = false;
      }
    }
    return all;
  }
}
