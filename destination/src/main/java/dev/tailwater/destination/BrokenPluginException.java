package dev.tailwater.destination;

import java.net.URI;

/** Signals that a plug-in is installed and cannot be used: its JARs are damaged or incomplete. */
public final class BrokenPluginException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param scheme the scheme of the URIs that the plug-in serves
   * @param reason what is wrong with it
   */
  BrokenPluginException(String scheme, String reason) {
    super(URI.create(scheme + ":/"), "open", "", text(scheme, reason), Plugins.REINSTALL);
  }

  /** Creates an exception with a cause. */
  BrokenPluginException(String scheme, String reason, Throwable cause) {
    super(URI.create(scheme + ":/"), "open", "", text(scheme, reason), Plugins.REINSTALL, cause);
  }

  private static String text(String scheme, String reason) {
    return "the plug-in for " + scheme + ": " + reason;
  }
}
