package dev.tailwater.cli.config;

import dev.tailwater.delivery.command.UserCommand;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/** A source of notices that this machine goes away. */
public sealed interface NoticeSetting {
  /** How often a file is looked at. */
  Duration FILE_EVERY = Duration.ofMillis(500);

  /** How often an endpoint or a command is asked. */
  Duration ASK_EVERY = Duration.ofSeconds(5);

  /** How long an endpoint or a command may take. */
  Duration ASK_LIMIT = Duration.ofSeconds(5);

  /** The highest port that there is. */
  int MAX_PORT = 65_535;

  /** The cloud that the machine runs in. */
  record Auto() implements NoticeSetting {}

  /** No source. */
  record Off() implements NoticeSetting {}

  /** A named cloud, whether or not it answers at the start. */
  record Cloud(Provider provider) implements NoticeSetting {}

  /** Which cloud. */
  enum Provider {
    EC2,
    GCE,
    AZURE,
    /** Azure, whose events may begin as soon as nothing is at risk. */
    AZURE_ACKNOWLEDGED
  }

  /**
   * A file that appears.
   *
   * @param path as the user wrote it
   */
  record File(String path, Duration every) implements NoticeSetting {}

  /** An endpoint that the user provides. */
  record Http(URI uri, Duration every, Duration limit) implements NoticeSetting {}

  /** A command that the user provides. */
  record Command(UserCommand command, Duration every) implements NoticeSetting {}

  /**
   * Parses a source as it is given on the command line.
   *
   * @throws IllegalArgumentException saying what is expected
   */
  static NoticeSetting parse(String text) {
    return switch (text) {
      case "auto" -> new Auto();
      case "off" -> new Off();
      case "ec2" -> new Cloud(Provider.EC2);
      case "gce" -> new Cloud(Provider.GCE);
      case "azure" -> new Cloud(Provider.AZURE);
      case "azure:acknowledge" -> new Cloud(Provider.AZURE_ACKNOWLEDGED);
      default -> parsePlace(text);
    };
  }

  private static NoticeSetting parsePlace(String text) {
    if (text.startsWith("file:")) {
      return file(text.substring("file:".length()), FILE_EVERY);
    }
    if (text.startsWith("http:") || text.startsWith("https:")) {
      return http(text, ASK_EVERY, ASK_LIMIT);
    }
    if (text.startsWith("command:")) {
      return new Command(
          UserCommand.shell(text.substring("command:".length()), ASK_LIMIT), ASK_EVERY);
    }
    throw new IllegalArgumentException(
        "expected auto, off, ec2, gce, azure, file:PATH, http://HOST/PATH or command:LINE, not '"
            + text
            + "'");
  }

  /** Creates a file source from a path, or from the rest of a file URI. */
  static NoticeSetting file(String path, Duration every) {
    return new File(ValueChecks.notEmpty(path.startsWith("//") ? path.substring(2) : path), every);
  }

  /** Creates an endpoint from its address. */
  static NoticeSetting http(String address, Duration every, Duration limit) {
    URI uri;
    try {
      uri = new URI(address);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("this is no address: " + e.getReason(), e);
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "an address is shown in messages, so it must not have a user name or a password");
    }
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "expected an address such as http://localhost:8080/going-down, not '" + address + "'");
    }
    if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
      throw new IllegalArgumentException(
          "expected a port from 1 to " + MAX_PORT + ", not " + uri.getPort());
    }
    return new Http(uri, every, limit);
  }
}
