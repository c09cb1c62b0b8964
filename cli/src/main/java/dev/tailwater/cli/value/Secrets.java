package dev.tailwater.cli.value;

import java.util.regex.Pattern;

/** Masks in messages what may be a secret in the wrong place, because logs are kept. */
public final class Secrets {
  /** Identities of age and of its plug-ins, including mistyped ones. */
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("\\b(AGE-(?:SECRET-KEY|PLUGIN))-[A-Z0-9-]*", Pattern.CASE_INSENSITIVE);

  /** RFC 3986, section 3.2.1; a URI that is taken for a path has lost one of its slashes. */
  private static final Pattern USER_INFO =
      Pattern.compile("\\b([A-Za-z][A-Za-z0-9+.-]*:/{1,2})[^/?#\\s]*@");

  /** The same with a password that contains a slash. Digits after the colon are a port. */
  private static final Pattern USER_INFO_WITH_PASSWORD =
      Pattern.compile(
          "\\b([A-Za-z][A-Za-z0-9+.-]*:/{1,2})[^/?#\\s:@]*:(?![0-9]{1,5}(?:[/?#\\s]|$))[^\\s@]*@");

  private Secrets() {}

  /** Returns the text with private keys, and users and passwords before hosts, masked. */
  public static String mask(String text) {
    String masked = PRIVATE_KEY.matcher(text).replaceAll("$1-...");
    masked = USER_INFO.matcher(masked).replaceAll("$1...@");
    return USER_INFO_WITH_PASSWORD.matcher(masked).replaceAll("$1...@");
  }
}
