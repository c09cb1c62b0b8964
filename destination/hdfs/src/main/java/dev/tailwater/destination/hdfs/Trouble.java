package dev.tailwater.destination.hdfs;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of a cluster's failures, found by the names of exceptions or, where Hadoop uses one
 * name for many failures ({@code IOException}, {@code AccessControlException}), by words in their
 * messages. The first row that matches counts.
 */
enum Trouble {
  WANTS_KERBEROS(
      true,
      "The cluster wants Kerberos: add principal and keytab to the URI, and config, which says so"
          + " in core-site.xml.",
      words("SIMPLE authentication is not enabled")),
  NO_KERBEROS(
      true,
      "The cluster is without Kerberos: leave principal and keytab out, or take its own"
          + " configuration.",
      words("Server asks us to fall back to SIMPLE auth")),
  CLOCK(
      true,
      "This machine's clock is not that of the KDC: synchronize it (timedatectl).",
      words("Clock skew too great")),
  KDC_AWAY(
      false,
      "No KDC answers: check krb5.conf, the DNS and the network.",
      words(
          "Cannot contact any KDC",
          "Receive timed out",
          "ICMP Port Unreachable",
          "Cannot get kdc")),
  KEYTAB(
      true,
      "Check that keytab exists, can be read by this account, and holds current keys of principal"
          + " (klist -kt FILE).",
      names("NoKeytabException"),
      words(
          "Unable to obtain password",
          "Pre-authentication information was invalid",
          "Client not found in Kerberos database",
          "Checksum failed",
          "Integrity check on decrypted field failed",
          "PREAUTH_FAILED")),
  NO_SERVER_PRINCIPAL(
      true,
      "The configuration lacks the NameNode's principal, or has another one: take the cluster's own"
          + " hdfs-site.xml (config=DIR).",
      words(
          "server principal name",
          "Server has invalid Kerberos principal",
          "Server not found in Kerberos database")),
  TICKET(
      true,
      "There is no valid Kerberos ticket: add principal and keytab to the URI, from which tickets"
          + " are renewed, or run kinit.",
      names("SaslException", "KerberosAuthException", "GSSException", "LoginException"),
      words("Client cannot authenticate via")),
  MIXED_LOGINS(
      true,
      "Run one agent for the clusters with Kerberos and one for those without.",
      names("MixedLoginsException")),
  QUOTA(
      true,
      "The directory's quota is used up: free space there or raise it (hdfs dfsadmin"
          + " -setSpaceQuota, -setQuota); nothing is lost meanwhile.",
      names(
          "DSQuotaExceededException",
          "NSQuotaExceededException",
          "QuotaByStorageTypeExceededException",
          "QuotaExceededException")),
  NOT_A_DIRECTORY(
      true,
      "Something in the archive's directory was not put there by Tailwater: look at it, move it"
          + " away.",
      names("ParentNotDirectoryException"),
      words("is not a directory")),
  PERMISSION(
      true,
      "Give this user write and execute permission on the archive's directory; docs/guide/hdfs.md"
          + " has the commands.",
      names("AccessControlException", "AuthorizationException")),
  SAFE_MODE(
      false,
      "The NameNode is in safe mode: it has just started and waits for its data nodes, or somebody"
          + " wants it so (hdfs dfsadmin -safemode get).",
      names("SafeModeException", "RetriableException"),
      words("is in safe mode")),
  STANDBY(
      false,
      "This NameNode is on standby: name the nameservice instead of a host, with config=DIR.",
      names("StandbyException", "ObserverRetryOnActiveException")),
  TOO_MANY_COPIES(
      true,
      "Correct replication in the URI: the cluster allows other numbers"
          + " (dfs.namenode.replication.min, dfs.replication.max).",
      words("Requested replication factor")),
  NO_DATA_NODE(
      false,
      "No data node takes the block: they are down, full, or not reached from here (with"
          + " dfs.client.use.datanode.hostname=true in hdfs-site.xml they are called by name).",
      words(
          "could only be written to",
          "could only be replicated to",
          "are bad. Aborting",
          "no more good datanodes",
          "does not have enough number of replicas",
          "Unable to create new block")),
  BLOCK_MISSING(
      false,
      "No data node that has the block answers: see hdfs fsck PATH -files -blocks -locations.",
      names("BlockMissingException", "CannotObtainBlockLengthException", "ChecksumException"),
      words("Could not obtain block")),
  ENCRYPTION_ZONE(
      true,
      "The archive's directory must lie in one encryption zone, or in none.",
      words("encryption zone")),
  NAME(
      true,
      "HDFS takes shorter names (dfs.namenode.fs-limits.max-component-length).",
      names("PathComponentTooLongException", "InvalidPathException")),
  DIRECTORY_FULL(
      true,
      "HDFS takes fewer names in a directory (dfs.namenode.fs-limits.max-directory-items).",
      names("MaxDirectoryItemsExceededException")),
  NAME_TAKEN(
      true,
      "Something in the archive's directory was not put there by Tailwater: look at it, move it"
          + " away.",
      names("FileAlreadyExistsException"),
      words("must both be directories")),
  UNKNOWN_HOST(
      false,
      "The name is not found: a nameservice needs the cluster's hdfs-site.xml (config=DIR or"
          + " HADOOP_CONF_DIR), a host the DNS.",
      names("UnknownHostException")),
  NOT_HADOOP(
      false,
      "What answers there does not speak Hadoop's protocol: the port is that of"
          + " dfs.namenode.rpc-address, often 8020 or 9000, not the web page's.",
      names("RpcException"),
      words(
          "RPC response exceeds maximum",
          "RPC response has invalid length",
          "RPC response has a length of",
          "end-group tag did not match",
          "invalid tag")),
  REFUSED(
      false,
      "Nothing answers there: check host, port and network.",
      names("ConnectException", "NoRouteToHostException", "PortUnreachableException")),
  STALLS(
      false,
      "The server or the network stalls.",
      names("SocketTimeoutException", "ConnectTimeoutException")),
  REMOVED(
      false,
      "Somebody removed the file or directory meanwhile.",
      names("FileNotFoundException", "LeaseExpiredException", "NoSuchFileException")),
  UNKNOWN(false, "The network or the cluster failed.");

  private final boolean permanent;
  private final String hint;

  /** The pattern that recognizes it in a text {@code NameOfException: message}. */
  private final Pattern signs;

  Trouble(boolean permanent, String hint, String... signs) {
    this.permanent = permanent;
    this.hint = hint;
    this.signs = Pattern.compile(signs.length == 0 ? "(?!)" : String.join("|", signs));
  }

  private static String names(String... names) {
    return "^(?:.*\\$)?(?:" + String.join("|", names) + "): ";
  }

  private static String words(String... words) {
    return Arrays.stream(words).map(Pattern::quote).collect(Collectors.joining("|"));
  }

  /** Returns the row for an exception with this class and message. */
  static Trouble of(String className, String message) {
    String text = className.substring(className.lastIndexOf('.') + 1) + ": " + message;
    return Arrays.stream(values())
        .filter(trouble -> trouble.signs.matcher(text).find())
        .findFirst()
        .orElse(UNKNOWN);
  }

  boolean permanent() {
    return permanent;
  }

  String hint() {
    return hint;
  }
}
