package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationException;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;

/** Tests of the classification of messages that no test can make a cluster send. */
class TroubleTest {
  private static final String IO = "java.io.IOException";

  @Test
  void tellsApartWhatHasOneName() {
    assertEquals(
        Trouble.NO_DATA_NODE,
        Trouble.of(
            IO,
            "File /a could only be written to 0 of the 1 minReplication nodes. There are 3"
                + " datanode(s) running and 3 node(s) are excluded in this operation."));
    assertEquals(
        Trouble.ENCRYPTION_ZONE, Trouble.of(IO, "/a/x can't be moved into an encryption zone."));
    assertEquals(
        Trouble.WANTS_KERBEROS,
        Trouble.of(
            "org.apache.hadoop.security.AccessControlException",
            "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]"));
    assertEquals(
        Trouble.NOT_A_DIRECTORY,
        Trouble.of(
            "org.apache.hadoop.security.AccessControlException", "/a/b (is not a directory)"));
    assertEquals(
        Trouble.PERMISSION,
        Trouble.of(
            "org.apache.hadoop.security.AccessControlException",
            "Permission denied: user=web, access=WRITE, inode=\"/\":hdfs:hdfs:drwxr-xr-x"));
    assertEquals(
        Trouble.NAME,
        Trouble.of(
            "org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException",
            "The maximum path component name limit of x is exceeded: limit=255 length=300"));
    assertEquals(Trouble.UNKNOWN, Trouble.of(IO, "Filesystem closed"));
  }

  @Test
  void saysWhatAConnectionThatBrokeOffIsWithoutNamesOfClasses() {
    IOException wrapped =
        NetUtils.wrapException("name-node", 8020, "client", 0, new EOFException("the end"));
    String message =
        String.valueOf(
            new Failures(URI.create("hdfs://name-node:8020/a"))
                .of("put", "k", wrapped)
                .getMessage());
    assertFalse(message.contains("Exception") || message.contains("java."), message);
    assertTrue(message.contains("End of File between local host"), message);
  }

  @Test
  void tellsAnExpiredTicketFromAKdcThatIsAway() {
    String login = "org.apache.hadoop.security.KerberosAuthException";
    assertEquals(
        Trouble.KDC_AWAY,
        Trouble.of(login, "failure to login: for principal: x: Receive timed out"));
    assertFalse(Trouble.KDC_AWAY.permanent());
    assertEquals(Trouble.CLOCK, Trouble.of(login, "failure to login: Clock skew too great (37)"));
    assertEquals(Trouble.KEYTAB, Trouble.of(login, "failure to login: Checksum failed"));
    IOException expired =
        new IOException(
            "DestHost:destPort nn:8020, Failed on local exception",
            new javax.security.sasl.SaslException(
                "GSS initiate failed [Caused by GSSException: No valid credentials provided]"));
    assertTrue(Failures.isAboutKerberos(expired));
  }

  @Test
  void leavesOutTheStackTraceOfTheServer() {
    RemoteException e =
        new RemoteException(
            "org.apache.hadoop.ipc.StandbyException",
            "Operation category WRITE is not supported in state standby\n\tat org.apache.X");
    DestinationException failure = new Failures(URI.create("hdfs://nn")).of("put", "a", e);
    assertEquals(
        "put a at hdfs://nn: Standby: Operation category WRITE is not supported in state"
            + " standby",
        failure.getMessage());
    assertFalse(failure.permanent());
    assertTrue(failure.hint().contains("nameservice"));
  }
}
