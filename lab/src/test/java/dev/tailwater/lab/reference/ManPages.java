package dev.tailwater.lab.reference;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.host.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a man page for each command in AsciiDoc, from which asciidoctor makes roff. */
final class ManPages {
  private ManPages() {}

  /** Returns the pages by name: {@code tailwater-ship}. */
  static Map<String, String> all() {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    CommandLine root =
        CommandTree.create(
            new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()));
    Map<String, String> pages = new TreeMap<>();
    add(root, pages);
    return pages;
  }

  /** Writes a file for each page into a directory, which is made. */
  static List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<String, String> page : all().entrySet()) {
      Files.writeString(directory.resolve(page.getKey() + ".adoc"), page.getValue());
    }
    return all().keySet().stream().map(name -> directory.resolve(name + ".adoc")).toList();
  }

  private static void add(CommandLine command, Map<String, String> pages) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden() || spec.name().equals("help")) {
      return;
    }
    command.getSubcommands().values().forEach(below -> add(below, pages));
    spec.usageMessage().description(escaped(spec.usageMessage().description()));
    spec.usageMessage().footer(escaped(spec.usageMessage().footer()));
    spec.usageMessage().footerHeading("Notes%n"); // Without one the generator leaves it out.
    StringWriter page = new StringWriter();
    PrintWriter out = new PrintWriter(page);
    ManPageGenerator.writeSingleManPage(out, spec);
    out.flush();
    String text = withPlainName(page.toString());
    pages.put(spec.qualifiedName("-"), withEscapedArguments(text, spec));
  }

  /** The section NAME is for whatis(1), which wants a phrase of plain text. */
  private static String withPlainName(String page) {
    return page.replaceFirst("(?m)^(tailwater\\S* - )pass:c\\[(.*?)\\.?]$", "$1$2");
  }

  /**
   * The generator takes texts as AsciiDoc, to which {@code **} and the like are formatting.
   * Definitions of options cannot be changed, so their texts are replaced in the page.
   */
  private static String withEscapedArguments(String page, CommandSpec spec) {
    String escaped = page;
    for (ArgSpec argument : spec.args()) {
      for (String line : argument.description()) {
        String shown = line.replace("%%", "%");
        if (!shown.isBlank()) {
          escaped = escaped.replace("  " + shown + "\n", "  " + escaped(shown)[0] + "\n");
        }
      }
    }
    return escaped;
  }

  private static String[] escaped(String... lines) {
    return Arrays.stream(lines)
        // An indented line is taken literally, which an example needs.
        .map(
            line ->
                line.isBlank() || line.startsWith("  ")
                    ? line
                    : "pass:c[" + line.replace("]", "\\]") + "]")
        .toArray(String[]::new);
  }
}
