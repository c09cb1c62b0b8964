package dev.tailwater.destination;

import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A provider from a plug-in. Its calls, and those of what it opens, run with the plug-in's class
 * loader as the thread's, since the libraries of the cloud makers look there for their parts.
 */
final class PluginProvider implements DestinationProvider {
  private final DestinationProvider provider;
  private final ClassLoader loader;

  PluginProvider(DestinationProvider provider, ClassLoader loader) {
    this.provider = provider;
    this.loader = loader;
  }

  @Override
  public Set<String> schemes() {
    return provider.schemes();
  }

  @Override
  public List<DestinationOption> options() {
    return provider.options();
  }

  @Override
  public URI canonical(URI uri) throws DestinationException {
    return inside(() -> provider.canonical(uri));
  }

  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    return inside(() -> new Opened(provider.open(uri, intent, context)));
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    inside(
        () -> {
          provider.check(uri);
          return this;
        });
  }

  private interface Call<T, E extends DestinationException> {
    T run() throws E;
  }

  private <T, E extends DestinationException> T inside(Call<T, E> call) throws E {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private final class Opened implements Destination {
    private final Destination destination;

    Opened(Destination destination) {
      this.destination = destination;
    }

    @Override
    public URI uri() {
      return destination.uri();
    }

    @Override
    public Capabilities capabilities() {
      return destination.capabilities();
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      return inside(() -> destination.putSegment(key, content));
    }

    @Override
    public SegmentUpload beginSegment(String key) throws DestinationException {
      return inside(() -> new Upload(destination.beginSegment(key)));
    }

    @Override
    public InputStream read(String key, long offsetBytes, long lengthBytes)
        throws DestinationException {
      return inside(() -> destination.read(key, offsetBytes, lengthBytes));
    }

    @Override
    public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
        throws DestinationException {
      return inside(() -> destination.list(prefix, afterKey, maxEntries));
    }

    @Override
    public void putObject(String key, byte[] content) throws DestinationException {
      inside(
          () -> {
            destination.putObject(key, content);
            return this;
          });
    }

    @Override
    public void delete(String key) throws DestinationException {
      inside(
          () -> {
            destination.delete(key);
            return this;
          });
    }

    @Override
    public void removeEmptyFolders(String folder) throws DestinationException {
      inside(
          () -> {
            destination.removeEmptyFolders(folder);
            return this;
          });
    }

    @Override
    public void close() throws DestinationException {
      inside(
          () -> {
            destination.close();
            return this;
          });
    }
  }

  private final class Upload implements SegmentUpload {
    private final SegmentUpload upload;

    Upload(SegmentUpload upload) {
      this.upload = upload;
    }

    @Override
    public void write(ByteBuffer content) throws DestinationException {
      inside(
          () -> {
            upload.write(content);
            return this;
          });
    }

    @Override
    public PutResult commit() throws DestinationException {
      return inside(upload::commit);
    }

    @Override
    public void close() throws DestinationException {
      inside(
          () -> {
            upload.close();
            return this;
          });
    }
  }
}
