package dev.tailwater.destination.s3;

import dev.tailwater.destination.cloud.UnexpectedAnswerException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * A check that a successful answer is one of S3. The SDK takes every answer with status 200: a
 * login page in reply to a PUT would count as delivered, and in reply to a list as its end.
 *
 * <p>What an answer lacks fails the request as a lost answer does: nobody knows whether the server
 * has seen it, so it is sent again, and a put then finds what is there.
 */
final class AnswerChecks implements ExecutionInterceptor {
  /** What may precede the root of a document; some servers send spaces while they work. */
  private static final Pattern ROOT =
      Pattern.compile(
          "(?:\\xEF\\xBB\\xBF)?+(?:\\s++|<\\?.*?\\?>|<!--.*?-->)*+<(?:[\\w.-]++:)?+([^\\s:/>!?]++)[\\s/>]",
          Pattern.DOTALL);

  private static final int MAX_PROLOG_BYTES = 4 << 10;

  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    SdkHttpResponse answer = context.httpResponse();
    Optional<InputStream> body = context.responseBody();
    if (!answer.isSuccessful()) {
      return body;
    }
    try {
      return checked(context.request(), answer, body);
    } catch (IOException e) {
      throw SdkClientException.create(String.valueOf(e.getMessage()), e);
    }
  }

  /** Without a switch over types, which makes a class of its own at each start. */
  private static Optional<InputStream> checked(
      SdkRequest request, SdkHttpResponse answer, Optional<InputStream> body) throws IOException {
    if (request instanceof PutObjectRequest || request instanceof UploadPartRequest) {
      requireTag(answer, body);
      // Some servers name this type where they say nothing.
      return isPage(answer) ? withoutText(answer, body) : body;
    }
    boolean isHead = request instanceof HeadObjectRequest;
    if (isHead || request instanceof GetObjectRequest) {
      if (isPage(answer)) {
        throw unexpected(answer, "is a page for a browser", body);
      }
      if (isHead) {
        requireTag(answer, body);
      }
      return body;
    }
    if (request instanceof DeleteObjectRequest || request instanceof AbortMultipartUploadRequest) {
      return withoutText(answer, body);
    }
    Optional<String> root = root(request);
    return root.isPresent() ? Optional.of(document(answer, body, root.get())) : body;
  }

  /** Returns the root of the document that answers a request; empty if none does. */
  private static Optional<String> root(SdkRequest request) {
    if (request instanceof ListObjectsV2Request) {
      return Optional.of("ListBucketResult");
    }
    if (request instanceof ListMultipartUploadsRequest) {
      return Optional.of("ListMultipartUploadsResult");
    }
    if (request instanceof CreateMultipartUploadRequest) {
      return Optional.of("InitiateMultipartUploadResult");
    }
    return request instanceof CompleteMultipartUploadRequest
        ? Optional.of("CompleteMultipartUploadResult")
        : Optional.empty();
  }

  /** Returns whether an answer is a page for a browser, which no object of an archive is. */
  private static boolean isPage(SdkHttpResponse answer) {
    String type = answer.firstMatchingHeader("Content-Type").orElse("");
    return type.toLowerCase(Locale.ROOT).startsWith("text/html");
  }

  private static void requireTag(SdkHttpResponse answer, Optional<InputStream> body)
      throws IOException {
    if (answer.firstMatchingHeader("ETag").filter(tag -> !tag.isBlank()).isEmpty()) {
      throw unexpected(answer, "has no ETag, so it does not tell of an object", body);
    }
  }

  private static Optional<InputStream> withoutText(
      SdkHttpResponse answer, Optional<InputStream> body) throws IOException {
    if (body.isPresent()) {
      byte[] begin = body.get().readNBytes(UnexpectedAnswerException.SHOWN_BYTES);
      if (!new String(begin, StandardCharsets.ISO_8859_1).isBlank()) {
        Bodies.closeOrAbort(body.get());
        throw new UnexpectedAnswerException(
            answer.statusCode(), "has a text, where S3 says nothing", begin);
      }
    }
    return body;
  }

  /** Returns the body, unless it is another document; the SDK knows what an {@code Error} is. */
  private static InputStream document(
      SdkHttpResponse answer, Optional<InputStream> body, String root) throws IOException {
    InputStream rest = body.orElse(InputStream.nullInputStream());
    ByteArrayOutputStream begin = new ByteArrayOutputStream();
    Matcher matcher = ROOT.matcher("");
    boolean found = false;
    boolean space = false;
    for (int next = rest.read(); next >= 0; next = rest.read()) {
      if (!space || next != ' ') { // Of many spaces one is kept.
        begin.write(next);
      }
      space = next == ' ';
      if (next == '>' || begin.size() == MAX_PROLOG_BYTES) {
        found = matcher.reset(begin.toString(StandardCharsets.ISO_8859_1)).lookingAt();
        if (found || begin.size() >= MAX_PROLOG_BYTES) {
          break;
        }
      }
    }
    if (!found || !(matcher.group(1).equals(root) || matcher.group(1).equals("Error"))) {
      begin.write(rest.readNBytes(UnexpectedAnswerException.SHOWN_BYTES));
      Bodies.closeOrAbort(rest);
      throw new UnexpectedAnswerException(
          answer.statusCode(), "is not the " + root + " of S3", begin.toByteArray());
    }
    return new SequenceInputStream(new ByteArrayInputStream(begin.toByteArray()), rest);
  }

  private static UnexpectedAnswerException unexpected(
      SdkHttpResponse answer, String problem, Optional<InputStream> body) throws IOException {
    byte[] begin = new byte[0];
    if (body.isPresent()) {
      begin = body.get().readNBytes(UnexpectedAnswerException.SHOWN_BYTES);
      Bodies.closeOrAbort(body.get());
    }
    return new UnexpectedAnswerException(answer.statusCode(), problem, begin);
  }

  /**
   * Requires that the checksum in an answer is that of what was sent.
   *
   * @param answered null if the server does not compute this kind
   */
  static void requireChecksum(String sent, @Nullable String answered) {
    if (answered != null && !answered.equals(sent)) {
      throw failure(200, "has the checksum " + answered + " instead of " + sent, new byte[0]);
    }
  }

  /** Returns the failure of a request, as the SDK's own ones. */
  static SdkClientException failure(int status, String problem, byte[] begin) {
    UnexpectedAnswerException e = new UnexpectedAnswerException(status, problem, begin);
    return SdkClientException.create(String.valueOf(e.getMessage()), e);
  }

  /** Returns what is wrong with the answer, if that is why a request failed. */
  static Optional<UnexpectedAnswerException> unexpected(SdkException e) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnexpectedAnswerException unexpected) {
        return Optional.of(unexpected);
      }
    }
    return Optional.empty();
  }
}
