package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed form of an {@code hdfs:} URI.
 *
 * @param uri the canonical form of the URI
 * @param fileSystem {@code hdfs://host:port} or {@code hdfs://nameservice}
 * @param root the absolute path of the archive; {@code /}, or without a slash at its end
 * @param config the directory of configuration files; empty for that of the environment
 * @param user the user on a cluster without Kerberos; empty for that of the environment
 * @param kerberos the keytab; empty for the ticket of the environment, if the cluster requires one
 * @param replication of new objects; empty for the configuration's default
 */
record HdfsPlace(
    URI uri,
    URI fileSystem,
    String root,
    Optional<Path> config,
    Optional<String> user,
    Optional<Keytab> kerberos,
    Optional<Short> replication) {

  /** A principal and the file with its keys. */
  record Keytab(String principal, Path file) {}

  /** From 1 to 65535. */
  private static final String PORT =
      "(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})";

  private static final Pattern AUTHORITY =
      Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::" + PORT + ")?");
  private static final Pattern USER = Pattern.compile("[^\\s/@:]{1,255}");
  private static final Pattern PRINCIPAL =
      Pattern.compile("[^\\s/@]+(?:/[^\\s/@]+)?(?:@[^\\s/@]+)?");
  private static final int MAX_REPLICATION = 512;

  static HdfsPlace parse(URI uri) throws UnknownDestinationException {
    DestinationQuery query = DestinationQuery.parse(uri, HdfsOption.all());
    @Nullable String authority = uri.getRawAuthority();
    if (authority == null || !AUTHORITY.matcher(authority).matches()) {
      throw refused("there is no legal name of a NameNode or nameservice in the URI");
    }
    String root = root(String.valueOf(uri.getPath()));
    return new HdfsPlace(
        canonical(authority, root, query),
        URI.create("hdfs://" + authority),
        root,
        path(query, HdfsOption.CONFIG),
        word(query, HdfsOption.USER, USER, "a user name"),
        kerberos(query),
        replication(query));
  }

  private static String root(String path) throws UnknownDestinationException {
    String inner = path.replaceFirst("^/", "").replaceFirst("/$", "");
    if (inner.isEmpty()) {
      return "/";
    }
    Optional<String> problem = ObjectKeys.problem(inner);
    if (problem.isPresent()) {
      throw refused("the path is not legal: " + problem.get());
    }
    if (inner.indexOf(':') >= 0) {
      throw refused("the path has a colon in it, which HDFS does not take");
    }
    return "/" + inner;
  }

  private static Optional<Keytab> kerberos(DestinationQuery query)
      throws UnknownDestinationException {
    Optional<String> principal =
        word(query, HdfsOption.PRINCIPAL, PRINCIPAL, "a principal such as name/host@REALM");
    Optional<Path> keytab = path(query, HdfsOption.KEYTAB);
    if (principal.isPresent() != keytab.isPresent()) {
      HdfsOption given = keytab.isPresent() ? HdfsOption.KEYTAB : HdfsOption.PRINCIPAL;
      throw query.wrong(given.key(), "principal and keytab, both of them");
    }
    return principal.map(name -> new Keytab(name, keytab.orElseThrow()));
  }

  private static Optional<Short> replication(DestinationQuery query)
      throws UnknownDestinationException {
    Optional<String> text = query.value(HdfsOption.REPLICATION.key());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().matches("[1-9][0-9]{0,2}") && Integer.parseInt(text.get()) <= MAX_REPLICATION) {
      return Optional.of(Short.parseShort(text.get()));
    }
    throw query.wrong(HdfsOption.REPLICATION.key(), "a number from 1 to " + MAX_REPLICATION);
  }

  private static Optional<Path> path(DestinationQuery query, HdfsOption option)
      throws UnknownDestinationException {
    Optional<String> text = query.value(option.key());
    try {
      return text.map(Path::of);
    } catch (InvalidPathException e) {
      throw query.wrong(option.key(), "a path");
    }
  }

  private static Optional<String> word(
      DestinationQuery query, HdfsOption option, Pattern pattern, String expected)
      throws UnknownDestinationException {
    Optional<String> value = query.value(option.key());
    if (value.isPresent() && !pattern.matcher(value.get()).matches()) {
      throw query.wrong(option.key(), expected);
    }
    return value;
  }

  private static URI canonical(String authority, String root, DestinationQuery query)
      throws UnknownDestinationException {
    try {
      String path = new URI(null, null, root, null).getRawPath();
      String options = query.toString();
      return new URI(
          "hdfs://"
              + authority
              + (path.equals("/") ? "" : path)
              + (options.isEmpty() ? "" : "?" + options));
    } catch (URISyntaxException e) {
      throw refused("the path cannot be written as a URI");
    }
  }

  private static UnknownDestinationException refused(String reason) {
    return new UnknownDestinationException(
        URI.create("hdfs:/"),
        reason,
        "Write hdfs://host:port/path, or hdfs://nameservice/path with ?config=DIR.");
  }
}
