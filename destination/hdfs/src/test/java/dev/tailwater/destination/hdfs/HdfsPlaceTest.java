package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the parser for URIs. */
class HdfsPlaceTest {
  private static HdfsPlace place(String uri) throws UnknownDestinationException {
    return HdfsPlace.parse(URI.create(uri));
  }

  @Test
  void readsNameNodeAndPath() throws UnknownDestinationException {
    assertEquals("/", place("hdfs://nn").root());
    assertEquals("/", place("hdfs://nn:8020/").root());
    assertEquals("/logs/a b", place("hdfs://nn:8020/logs/a%20b/").root());
    assertEquals("/logs/.snapshot/s1", place("hdfs://cluster_1/logs/.snapshot/s1").root());
    assertEquals(URI.create("hdfs://nn:8020"), place("hdfs://nn:8020/logs").fileSystem());
    assertEquals(URI.create("hdfs://cluster_1"), place("hdfs://cluster_1/x").fileSystem());
  }

  @Test
  void readsEveryOption() throws UnknownDestinationException {
    HdfsPlace place =
        place(
            "hdfs://nn/logs?config=/etc/hadoop/conf&user=web&replication=2"
                + "&principal=tailwater/_HOST@EXAMPLE.COM&keytab=/etc/tailwater/k.keytab");
    assertEquals(Optional.of(Path.of("/etc/hadoop/conf")), place.config());
    assertEquals(Optional.of("web"), place.user());
    assertEquals(Optional.of((short) 2), place.replication());
    HdfsPlace.Keytab keytab = place.kerberos().orElseThrow();
    assertEquals("tailwater/_HOST@EXAMPLE.COM", keytab.principal());
    assertEquals(Path.of("/etc/tailwater/k.keytab"), keytab.file());
  }

  @Test
  void saysOfItselfTheSameInOneSpelling() throws UnknownDestinationException {
    String uri = "hdfs://nn:8020/logs/a%20b?config=%2Fetc%2Fhadoop&user=web";
    assertEquals(uri, place(uri).uri().toString());
    assertEquals(
        uri, place("hdfs://nn:8020/logs/a%20b/?user=web&config=/etc/hadoop").uri().toString());
    assertEquals(URI.create("hdfs://nn"), place("hdfs://nn/").uri());
    assertEquals(URI.create("hdfs://nn"), new HdfsProvider().canonical(URI.create("hdfs://nn/")));
  }

  @Test
  void refusesWhatItCannotMeanWithoutRepeatingIt() {
    for (String uri :
        List.of(
            "hdfs:///logs",
            "hdfs:logs",
            "hdfs://nn:Se3ret/x",
            "hdfs://nn:65536/x",
            "hdfs://nn:0/x",
            "hdfs://user:Se3ret@nn/x",
            "hdfs://nn/a//b",
            "hdfs://nn/a/../b",
            "hdfs://nn/a:b",
            "hdfs://nn/.tailwater-tmp",
            "hdfs://nn/x?replication=0",
            "hdfs://nn/x?replication=Se3ret",
            "hdfs://nn/x?replication=513",
            "hdfs://nn/x?user=Se3ret%20x",
            "hdfs://nn/x?principal=Se3ret",
            "hdfs://nn/x?keytab=/Se3ret",
            "hdfs://nn/x?principal=Se3ret%20&keytab=/k",
            "hdfs://nn/x?config=%00Se3ret",
            "hdfs://nn/x?password=Se3ret")) {
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> place(uri), uri);
      assertThrows(
          UnknownDestinationException.class, () -> new HdfsProvider().check(URI.create(uri)), uri);
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
      assertFalse(e.hint().isBlank());
    }
  }
}
