package dev.tailwater.cli.init;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A commented configuration file. Names of files come from other users, so whatever was found is
 * quoted or made harmless.
 *
 * @param found on this machine
 * @param destination as the user gave it; empty: a file server if one is mounted, else a
 *     placeholder
 * @param destinationNotes what is known about the user's destination
 * @param file its name, for the commands in the comments
 */
record ConfigText(
    Findings found, Optional<String> destination, List<String> destinationNotes, String file) {
  static final String PLACEHOLDER = "/mnt/archive";

  /** Means the same with and without quotes, in YAML and in the shell. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z/][A-Za-z0-9._/=+-]*(://[^\\s#'\"]*)?");

  /** Whether nothing tells where the archive is to live. */
  boolean needsDestination() {
    return destination.isEmpty() && usableServer().isEmpty();
  }

  /** Returns the destination that the file names. */
  String chosenDestination() {
    return destination.orElseGet(
        () ->
            usableServer()
                .map(server -> server.mountPoint().resolve("tailwater").decoded())
                .orElse(PLACEHOLDER));
  }

  /** A configuration file is text, so it cannot name a directory whose name is none. */
  private Optional<FileServer> usableServer() {
    return found.servers().stream().filter(server -> isText(server.mountPoint())).findFirst();
  }

  private static boolean isText(PosixPath path) {
    return PosixPath.of(path.decoded()).equals(path);
  }

  /** Returns the file's text. */
  String text() {
    StringBuilder text = new StringBuilder();
    String name = Printable.line(file);
    text.append(
        """
        # Settings of one Tailwater agent, made by 'tailwater init' after a look at this machine.
        #   tailwater check %1$s                     checks this file
        #   tailwater ship --dry-run --config %1$s   lists what would be shipped
        #   tailwater ship --config %1$s             ships
        # The package's conf/tailwater.yaml shows every key with its default.

        """
            .formatted(name));
    sources(text);
    destination(text);
    notices(text);
    stop(text);
    encryption(text);
    return text.toString();
  }

  private void sources(StringBuilder text) {
    text.append("# What to ship: directories with everything below, files or globs.\n");
    if (found.sources().isEmpty()) {
      text.append("# No log was found that was written in the last 24 hours. CHANGE THIS:\n");
      text.append("sources:\n  - path: /var/log\n");
    } else {
      text.append("# Found: files that were written in the last 24 hours.\n");
      text.append("sources:\n");
      found.sources().forEach(source -> source(text, source));
    }
    if (found.moreSources() > 0) {
      comment(text, found.moreSources() + " more directories with logs are not listed here.");
    }
    found.cutShort().ifPresent(why -> comment(text, "The search was not complete: " + why + "."));
    long unreadable =
        found.sources().stream().mapToLong(source -> source.directory().unreadable()).sum();
    if (unreadable > 0) {
      comment(
          text,
          unreadable
              + " of these files cannot be read by the user who ran init. The agent needs a user"
              + " who can, or");
      comment(text, "the capability CAP_DAC_READ_SEARCH, which the package's systemd unit gives.");
    }
    text.append('\n');
  }

  private static void source(StringBuilder text, SourceFound source) {
    LogDirectory all = source.directory();
    text.append("  - path: ").append(scalar(all.path().decoded()));
    text.append("   # ").append(amount(all)).append('\n');
    boolean isOne =
        source.busiest().size() == 1 && source.busiest().getFirst().path().equals(all.path());
    if (!isOne) {
      for (LogDirectory part : source.busiest()) {
        text.append("    # ").append(shown(part.path())).append(": ");
        text.append(amount(part)).append('\n');
      }
    }
    if (!source.exclude().isEmpty()) {
      text.append("    # rewritten in place by the system, so no logs:\n    exclude: [");
      text.append(String.join(", ", source.exclude().stream().map(ConfigText::scalar).toList()));
      text.append("]\n");
    }
  }

  private static String amount(LogDirectory logs) {
    return Count.of(logs.files(), "file") + ", " + ByteSizes.forPeople(logs.bytes());
  }

  private void destination(StringBuilder text) {
    text.append("# Where the archive lives. It must stay when this machine is gone.\n");
    if (needsDestination()) {
      text.append(
          found.servers().isEmpty()
              ? "# CHANGE THIS: no file server is mounted here."
              : "# CHANGE THIS: no file server is mounted here at a path that is text.");
      text.append(" A directory, or the URI of a plug-in:\n");
      text.append("#   destination: ").append(exampleUri()).append('\n');
    }
    for (FileServer server : found.servers()) {
      comment(
          text,
          "Found: "
              + shown(server.mountPoint())
              + " ("
              + Printable.line(server.type())
              + "), "
              + ByteSizes.forPeople(server.freeBytes())
              + " free"
              + (isText(server.mountPoint()) ? "." : "; no destination can have this name."));
    }
    destinationNotes.forEach(note -> comment(text, note));
    text.append("destination: ").append(scalar(chosenDestination())).append("\n\n");
  }

  private String exampleUri() {
    return found.cloud().filter("ec2"::equals).isPresent()
        ? "s3://BUCKET/PREFIX   # this is a machine of EC2"
        : "s3://BUCKET/PREFIX";
  }

  private void notices(StringBuilder text) {
    text.append(
        "# Who announces that this machine goes away. auto asks the cloud that the firmware names;\n");
    comment(text, "here: " + found.cloudInWords() + ".");
    text.append("#notices: auto\n\n");
  }

  private void stop(StringBuilder text) {
    text.append("# How long the agent may take to deliver everything after SIGTERM.\n");
    if (found.kubernetes()) {
      text.append(
          "# Kubernetes kills a pod after terminationGracePeriodSeconds (30 s unless set): stay below it.\n");
    } else if (found.systemd()) {
      text.append(
          "# systemd kills a service after TimeoutStopSec (45 s in the package's unit): stay below it.\n");
    }
    text.append("#drain_deadline: 25s\n\n");
    if (found.systemd()) {
      text.append(
          "# The package's systemd unit gives the agent its state directory, /var/lib/tailwater.\n");
      text.append("#state: /var/lib/tailwater\n\n");
    }
  }

  private static void encryption(StringBuilder text) {
    text.append(
        "# Public keys, or files of them: the machine can then write its archive, but not read it.\n");
    text.append("# 'tailwater keygen' makes a key pair. Not set: no encryption.\n");
    text.append("#encrypt_to: /etc/tailwater/recipients.txt\n");
  }

  private static void comment(StringBuilder text, String line) {
    text.append("# ").append(Printable.line(line)).append('\n');
  }

  private static String shown(PosixPath path) {
    return Printable.line(EscapedPath.of(path));
  }

  /** Returns a scalar: plain where that is unmistakable, else in quotes as JSON has them. */
  static String scalar(String value) {
    return PLAIN.matcher(value).matches() && !value.endsWith(":")
        ? value
        : "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + "\"";
  }
}
