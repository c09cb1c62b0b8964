package dev.tailwater.destination.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.jspecify.annotations.Nullable;

/**
 * The login of this process at a cluster. Thread-safe.
 *
 * <p>With a keytab, it renews the ticket after four fifths of the ticket's lifetime, and gets a new
 * one from the keytab if the cluster refuses the ticket.
 */
final class Login {
  private final UserGroupInformation user;

  private Login(UserGroupInformation user) {
    this.user = user;
  }

  /** Logs in; with a keytab, this sends a request to the KDC. */
  static Login in(HdfsPlace place, Configuration settings) throws IOException {
    boolean kerberos =
        SecurityUtil.getAuthenticationMethod(settings) == AuthenticationMethod.KERBEROS;
    requireSameKind(settings, kerberos);
    if (!kerberos) {
      return new Login(UserGroupInformation.createRemoteUser(userName(place)));
    }
    Optional<HdfsPlace.Keytab> keytab = place.kerberos();
    if (keytab.isEmpty()) {
      return new Login(UserGroupInformation.getLoginUser());
    }
    String file = keytab.get().file().toString();
    if (!Files.isReadable(keytab.get().file())) {
      throw new NoKeytabException(file);
    }
    String principal = SecurityUtil.getServerPrincipal(keytab.get().principal(), "0.0.0.0");
    return new Login(UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, file));
  }

  /**
   * Checks the kind of authentication. Hadoop supports only one kind in the class loader of this
   * plug-in.
   */
  private static synchronized void requireSameKind(Configuration settings, boolean kerberos)
      throws MixedLoginsException {
    if (!UserGroupInformation.isInitialized()) {
      UserGroupInformation.setConfiguration(settings);
    }
    if (kerberos != UserGroupInformation.isSecurityEnabled()) {
      throw new MixedLoginsException();
    }
  }

  private static String userName(HdfsPlace place) {
    @Nullable String surroundings = System.getenv("HADOOP_USER_NAME");
    return place
        .user()
        .orElse(
            surroundings == null || surroundings.isEmpty()
                ? System.getProperty("user.name")
                : surroundings);
  }

  UserGroupInformation user() {
    return user;
  }

  /** Renews the ticket if it expires soon; otherwise only checks the clock. */
  void renew() throws IOException {
    if (user.isFromKeytab()) {
      user.checkTGTAndReloginFromKeytab();
    }
  }

  /** Gets a new ticket from the keytab after a refusal; at most one per minute. */
  void renewAfterRefusal() throws IOException {
    if (user.isFromKeytab()) {
      user.reloginFromKeytab();
    }
  }

  /** Signals that one process uses clusters with and without Kerberos. */
  static final class MixedLoginsException extends IOException {
    private static final long serialVersionUID = 1L;

    MixedLoginsException() {
      super("another hdfs destination of this process is not of the same authentication");
    }
  }

  /** Signals that the keytab does not exist or is not readable. */
  static final class NoKeytabException extends IOException {
    private static final long serialVersionUID = 1L;

    NoKeytabException(String file) {
      super("the keytab " + file + " cannot be read");
    }
  }
}
