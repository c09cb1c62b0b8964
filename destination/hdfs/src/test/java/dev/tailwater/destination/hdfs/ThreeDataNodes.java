package dev.tailwater.destination.hdfs;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a cluster. All classes of a run share it: the first one starts it, and it stops at
 * the end.
 */
public final class ThreeDataNodes implements ParameterResolver {
  private static final Namespace CLUSTERS = Namespace.create(ThreeDataNodes.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == HdfsCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(CLUSTERS)
        .computeIfAbsent("three", key -> started(), HdfsCluster.class);
  }

  private static HdfsCluster started() {
    try {
      return HdfsCluster.start(3, "dfs.replication.max=10");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
