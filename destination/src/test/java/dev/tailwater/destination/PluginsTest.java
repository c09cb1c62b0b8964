package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plug-ins in directories, each with classes of its own. */
class PluginsTest {
  /**
   * A destination that says in its URI which version of a library it sees, which class loader is
   * the thread's, and whether a class of the program is there. SCHEME and VERSION are filled in.
   */
  private static final String PROVIDER =
      """
      package sample;

      import dev.tailwater.destination.*;
      import java.net.URI;
      import java.util.Set;

      public final class Provider implements DestinationProvider {
        @Override
        public Set<String> schemes() {
          return Set.of("SCHEME");
        }

        @Override
        public URI canonical(URI uri) {
          boolean own =
              Thread.currentThread().getContextClassLoader() == Provider.class.getClassLoader();
          return uri.resolve("/own-loader-" + own);
        }

        @Override
        public Destination open(URI uri, OpenIntent intent, DestinationContext context)
            throws DestinationException {
          boolean own =
              Thread.currentThread().getContextClassLoader() == Provider.class.getClassLoader();
          throw new TransientDestinationException(
              uri, "open", "", "library " + library.Library.VERSION + ", own loader " + own
                  + ", program's library " + sees(context.calls().getClass().getName())
                  + " " + sees("org.junit.jupiter.api.Test"), "none");
        }

        private static boolean sees(String name) {
          try {
            Class.forName(name, false, Provider.class.getClassLoader());
            return true;
          } catch (ClassNotFoundException e) {
            return false;
          }
        }
      }
      """;

  private static final String LIBRARY =
      "package library; public final class Library { public static final Integer VERSION ="
          + " Integer.valueOf(NUMBER); }";

  @TempDir Path places;

  private void install(String scheme, int libraryVersion) throws IOException {
    Path home = places.resolve(scheme);
    String library = LIBRARY.replace("NUMBER", Integer.toString(libraryVersion));
    PluginJar.make(
        home.resolve("all.jar"),
        "sample.Provider",
        Map.of("sample.Provider", PROVIDER.replace("SCHEME", scheme), "library.Library", library));
  }

  private DestinationException refused(String uri, Plugins plugins) {
    return assertThrows(
        DestinationException.class, () -> opener(plugins).open(uri, OpenIntent.READ), uri);
  }

  private static DestinationOpener opener(Plugins plugins) {
    return new DestinationOpener(
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random()),
        plugins);
  }

  @Test
  void librariesOfTwoPluginsAndOfTheProgramNeverMeet() throws IOException {
    install("one", 1);
    install("two", 2);
    Plugins plugins = Plugins.in(List.of(places));
    assertEquals(
        "open one://x: library 1, own loader true, program's library true false",
        refused("one://x", plugins).getMessage());
    assertEquals(
        "open two://x: library 2, own loader true, program's library true false",
        refused("two://x", plugins).getMessage());
  }

  @Test
  void aUriIsCheckedByItsPluginWithoutOpeningIt() throws IOException {
    install("one", 1);
    Plugins plugins = Plugins.in(List.of(places));
    Destinations.check("one://x", plugins);
    UnknownDestinationException unknown =
        assertThrows(
            UnknownDestinationException.class, () -> Destinations.check("one://x?a=b", plugins));
    assertEquals("unknown option a", unknown.reason());
    assertEquals(Optional.of("a"), unknown.option());
    PluginJar.make(
        places.resolve("two/all.jar"),
        "sample.Provider",
        Map.of(
            "sample.Provider",
            PROVIDER
                .replace("SCHEME", "two")
                .replace(
                    "private static",
                    """
                    @Override
                    public void check(URI uri) throws UnknownDestinationException {
                      throw new UnknownDestinationException(uri, "own loader "
                          + (Thread.currentThread().getContextClassLoader()
                              == Provider.class.getClassLoader()), "none");
                    }

                    private static\
                    """),
            "library.Library",
            LIBRARY.replace("NUMBER", "1")));
    UnknownDestinationException own =
        assertThrows(
            UnknownDestinationException.class, () -> Destinations.check("two://x", plugins));
    assertEquals("own loader true", own.reason());
    assertEquals(Optional.empty(), own.option());
    UnknownDestinationException missing =
        assertThrows(
            UnknownDestinationException.class, () -> Destinations.check("three://x", plugins));
    assertTrue(missing.hint().contains(places.resolve("three").toString()), missing.hint());
  }

  @Test
  void aPluginIsLoadedOnceAndGivesTheThreadItsLoaderBack() throws IOException {
    install("one", 1);
    install("two", 1);
    Plugins plugins = Plugins.in(List.of(places));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    DestinationException unused = refused("one://x", plugins);
    assertSame(before, Thread.currentThread().getContextClassLoader());
    assertSame(plugins.provider("one").orElseThrow(), plugins.provider("one").orElseThrow());
    assertNotSame(plugins.provider("one").orElseThrow(), plugins.provider("two").orElseThrow());
    assertInstanceOf(TransientDestinationException.class, unused);
  }

  @Test
  void aPluginSaysHowAPlaceIsCalledThatIsNotOpen() throws IOException {
    install("one", 1);
    DestinationOpener opener = opener(Plugins.in(List.of(places)));
    assertEquals("one://x/own-loader-true", opener.canonical("one://x/y").toString());
    assertEquals("file:///a", opener.canonical("/a").toString());
  }

  @Test
  void theFirstDirectoryWithTheSchemeWins() throws IOException {
    install("one", 1);
    Path other = places.resolve("other");
    PluginJar.make(
        other.resolve("one/all.jar"),
        "sample.Provider",
        Map.of(
            "sample.Provider",
            PROVIDER.replace("SCHEME", "one"),
            "library.Library",
            LIBRARY.replace("NUMBER", "7")));
    Plugins plugins = Plugins.in(List.of(places.resolve("absent"), other, places));
    assertTrue(refused("one://x", plugins).getMessage().contains("library 7"));
  }

  @Test
  void saysWhatToInstallWhereThereIsNoPlugin() {
    DestinationException e = refused("s3://x", Plugins.in(List.of(places)));
    assertInstanceOf(UnknownDestinationException.class, e);
    assertTrue(e.getMessage().contains("no destination for scheme s3 is installed"));
    assertTrue(e.hint().contains("tailwater-s3"), e.hint());
    assertTrue(e.hint().contains(places.resolve("s3").toString()), e.hint());
    assertTrue(e.hint().contains("TAILWATER_PLUGINS"), e.hint());
    assertTrue(refused("s3://x", Plugins.none()).hint().contains("class path"));
  }

  @Test
  void namesTheSchemesOfThePluginsThatAreInstalled() throws IOException {
    Files.createDirectories(places.resolve("gopher"));
    Plugins plugins = Plugins.in(List.of(places.resolve("absent"), places));
    String message = refused("one://x", plugins).getMessage();
    assertTrue(
        message.contains("unknown scheme one; known: az, file, gopher, gs, hdfs, s3"), message);
  }

  @Test
  void aBrokenPluginIsNamedAndNotTakenForAbsent() throws IOException {
    Plugins plugins = Plugins.in(List.of(places));
    Files.createDirectory(places.resolve("empty"));
    Path damaged = Files.createDirectory(places.resolve("damaged"));
    Files.writeString(damaged.resolve("x.jar"), "not a jar");
    PluginJar.make(
        places.resolve("other/x.jar"),
        "sample.Provider",
        Map.of(
            "sample.Provider",
            PROVIDER.replace("SCHEME", "one"),
            "library.Library",
            LIBRARY.replace("NUMBER", "1")));
    PluginJar.make(
        places.resolve("absent/x.jar"),
        "sample.Absent",
        Map.of("library.Library", LIBRARY.replace("NUMBER", "1")));
    for (String scheme : List.of("empty", "damaged", "other", "absent")) {
      DestinationException e = refused(scheme + "://x", plugins);
      assertFalse(e instanceof UnknownDestinationException, scheme);
      assertTrue(e.getMessage().contains(places.resolve(scheme).toString()), e.getMessage());
      assertTrue(e.hint().contains("same version"), e.hint());
    }
  }

  @Test
  void aPluginThatLacksALibraryIsNamedWhenItIsNeeded() throws IOException {
    Path home = places.resolve("half");
    PluginJar.make(
        home.resolve("all.jar"),
        "sample.Provider",
        Map.of(
            "sample.Provider",
            PROVIDER.replace("SCHEME", "half"),
            "library.Library",
            LIBRARY.replace("NUMBER", "1")));
    try (FileSystem jar = FileSystems.newFileSystem(home.resolve("all.jar"))) {
      Files.delete(jar.getPath("library/Library.class"));
    }
    DestinationException e = refused("half://x", Plugins.in(List.of(places)));
    assertInstanceOf(BrokenPluginException.class, e);
    assertTrue(
        e.reason().startsWith("the plug-in for half: " + home + " is incomplete"), e.reason());
    assertTrue(e.reason().contains("library/Library"), e.reason());
    assertTrue(e.hint().contains("unpack the plug-in"), e.hint());
  }

  @Test
  void aPluginOfTheProgramsOwnPackagesIsItsOwn() throws IOException {
    // As tailwater's plug-ins are: below the package of the interfaces, with a copy of those
    // beside.
    PluginJar.make(
        places.resolve("below/x.jar"),
        "dev.tailwater.destination.below.Provider",
        Map.of(
            "dev.tailwater.destination.below.Provider",
            PROVIDER
                .replace("SCHEME", "below")
                .replace("package sample", "package dev.tailwater.destination.below"),
            "dev.tailwater.destination.OpenIntent",
            "package dev.tailwater.destination; public enum OpenIntent { READ, WRITE }",
            "library.Library",
            LIBRARY.replace("NUMBER", "3")));
    assertTrue(
        refused("below://x", Plugins.in(List.of(places))).getMessage().contains("library 3"));
  }
}
