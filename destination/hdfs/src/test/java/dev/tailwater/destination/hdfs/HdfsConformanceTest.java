package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationConformance;
import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests for a directory of a cluster, without any deviation. */
@ExtendWith(ThreeDataNodes.class)
class HdfsConformanceTest extends DestinationConformance {
  private final String place;

  HdfsConformanceTest(HdfsCluster cluster) {
    this.place = cluster.newPlace();
  }

  @Override
  protected Destination open() throws IOException {
    return HdfsCluster.open(place);
  }
}
