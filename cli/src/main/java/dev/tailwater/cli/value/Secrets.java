package dev.tailwater.cli.value;

import java.util.regex.Pattern;

/** Keeps out of messages what may be a secret in the wrong place: logs outlive it. */
public final class Secrets {
  /** Identities of age: of its own kind and of its plug-ins, also mistyped ones. */
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("\\b(AGE-(?:SECRET-KEY|PLUGIN))-[A-Z0-9-]*", Pattern.CASE_INSENSITIVE);

  /** RFC 3986, section 3.2.1; a URI that is taken for a path has lost one of its slashes. */
  private static final Pattern USER_INFO =
      Pattern.compile("\\b([A-Za-z][A-Za-z0-9+.-]*:/{1,2})[^/?#\\s]*@");

  /** The same with a password that holds a slash. Digits behind the colon are a port. */
  private static final Pattern USER_INFO_WITH_PASSWORD =
      Pattern.compile(
          "\\b([A-Za-z][A-Za-z0-9+.-]*:/{1,2})[^/?#\\s:@]*:(?![0-9]{1,5}(?:[/?#\\s]|$))[^\\s@]*@");

  private Secrets() {}

  /** The text without private keys, and without users and passwords in front of hosts. */
  public static String mask(String text) {
    String masked = PRIVATE_KEY.matcher(text).replaceAll("$1-...");
    masked = USER_INFO.matcher(masked).replaceAll("$1...@");
    return USER_INFO_WITH_PASSWORD.matcher(masked).replaceAll("$1...@");
  }
}
