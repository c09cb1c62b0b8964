package dev.tailwater.destination.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * One connection through the proxy. It forwards one request after the other, and pumps the answers
 * back.
 */
final class ProxyConnection implements AutoCloseable {
  private static final int MAX_HEAD_BYTES = 64 << 10;
  private static final byte[] INTERIM = "HTTP/1.1 1".getBytes(StandardCharsets.ISO_8859_1);

  private final Socket client;
  private final Socket server;
  private final CountDownLatch answersOver = new CountDownLatch(1);

  /** The number of bytes of answers to forward, after which the pump resets the client. */
  private volatile long answerBytesAllowed = Long.MAX_VALUE;

  private ProxyConnection(Socket client, Socket server) {
    this.client = client;
    this.server = server;
  }

  static ProxyConnection open(Socket client, InetSocketAddress address) throws IOException {
    Socket server = new Socket();
    try {
      server.connect(address);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return new ProxyConnection(client, server);
  }

  /** A function that decides the fault of a request. */
  interface Decision {
    ProxyFault of(String method, String target, Map<String, String> headers);
  }

  Socket toServer() {
    return server;
  }

  /** Forwards requests; returns when the client is done, or throws when either side fails. */
  void run(Decision decision) throws IOException {
    Thread.ofPlatform().daemon().name("proxied-answers").start(this::pumpAnswers);
    InputStream in = new BufferedInputStream(client.getInputStream());
    OutputStream out = server.getOutputStream();
    while (true) {
      byte[] head = readHead(in);
      if (head.length == 0) {
        return;
      }
      String[] lines = new String(head, StandardCharsets.ISO_8859_1).split("\r\n");
      String[] first = lines[0].split(" ", 3);
      Map<String, String> headers = headers(lines);
      long bodyBytes = Long.parseLong(headers.getOrDefault("content-length", "0"));
      boolean expects = headers.containsKey("expect");
      switch (decision.of(first[0], first[1], headers)) {
        case ProxyFault.Forward forward -> {
          out.write(head);
          copy(in, out, bodyBytes, -1);
        }
        case ProxyFault.ResetInBody reset -> {
          out.write(head);
          copy(in, out, Math.min(bodyBytes, reset.afterBytes()), -1);
          throw new IOException("planned reset");
        }
        case ProxyFault.LoseAnswer lose -> {
          answerBytesAllowed = 0;
          out.write(head);
          copy(in, out, bodyBytes, -1);
        }
        case ProxyFault.CutAnswer cut -> {
          answerBytesAllowed = cut.afterBytes();
          out.write(head);
          copy(in, out, bodyBytes, -1);
        }
        case ProxyFault.Corrupt corrupt -> {
          out.write(head);
          copy(in, out, bodyBytes, corrupt.bodyOffset());
        }
        case ProxyFault.Stall stall -> awaitEnd();
        case ProxyFault.Answer answer -> {
          if (!expects) {
            // Unread bytes would turn the end of the connection into a reset.
            copy(in, OutputStream.nullOutputStream(), bodyBytes, -1);
          }
          client.getOutputStream().write(answer.text().getBytes(StandardCharsets.ISO_8859_1));
          client.shutdownOutput();
          return;
        }
      }
    }
  }

  private void awaitEnd() throws IOException {
    try {
      answersOver.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IOException("the server ended a stalled connection");
  }

  /** Reads a head with its empty line; returns nothing if the client has ended the connection. */
  private static byte[] readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int lineEnds = 0;
    while (lineEnds < 4) {
      int b = in.read();
      if (b < 0) {
        if (head.size() > 0) {
          throw new EOFException("in the head of a request");
        }
        return new byte[0];
      }
      head.write(b);
      boolean expected = b == (lineEnds % 2 == 0 ? '\r' : '\n');
      lineEnds = expected ? lineEnds + 1 : (b == '\r' ? 1 : 0);
      if (head.size() > MAX_HEAD_BYTES) {
        throw new IOException("the head of a request is longer than " + MAX_HEAD_BYTES);
      }
    }
    return head.toByteArray();
  }

  private static Map<String, String> headers(String[] lines) {
    Map<String, String> headers = new HashMap<>();
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private static void copy(InputStream in, OutputStream out, long lengthBytes, long corruptAt)
      throws IOException {
    byte[] buffer = new byte[16 << 10];
    long done = 0;
    while (done < lengthBytes) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, lengthBytes - done));
      if (count < 0) {
        throw new EOFException("in the body of a request");
      }
      if (corruptAt >= done && corruptAt < done + count) {
        buffer[(int) (corruptAt - done)] ^= 1;
      }
      out.write(buffer, 0, count);
      done += count;
    }
    out.flush();
  }

  private void pumpAnswers() {
    byte[] buffer = new byte[16 << 10];
    try {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        long allowed = answerBytesAllowed;
        if (count > allowed && !isInterim(buffer, count)) {
          out.write(buffer, 0, (int) allowed);
          LoopbackPort.reset(client);
          return;
        }
        out.write(buffer, 0, count);
        if (allowed < Long.MAX_VALUE && !isInterim(buffer, count)) {
          answerBytesAllowed = allowed - count;
        }
      }
      client.shutdownOutput();
    } catch (IOException e) {
      LoopbackPort.reset(client);
    } finally {
      answersOver.countDown();
    }
  }

  private static boolean isInterim(byte[] bytes, int count) {
    return count >= INTERIM.length
        && Arrays.equals(bytes, 0, INTERIM.length, INTERIM, 0, INTERIM.length);
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (answerBytesAllowed == Long.MAX_VALUE) {
      client.close();
    }
  }
}
