package dev.tailwater.cli.value;

import java.util.regex.Pattern;

/** Destinations in messages. */
public final class PlaceText {
  /** RFC 3986, section 3.2.1. */
  private static final Pattern USER_INFO = Pattern.compile("//[^/?#]*@");

  private PlaceText() {}

  /** Without what stands before the host: that is refused, and may be a secret. */
  public static String withoutUserInfo(String place) {
    return USER_INFO.matcher(place).replaceFirst("//...@");
  }
}
