package dev.tailwater.destination.s3;

import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.CloudFailures;
import dev.tailwater.destination.cloud.http.ErrorAnswer;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The translation of errors of S3. The codes are those of the <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html">S3 error responses</a>
 * and of MinIO's extension of them.
 */
final class Failures extends CloudFailures<SdkException> {
  private static final int FORBIDDEN = 403;
  private static final String COLD = "InvalidObjectState";
  private static final Set<String> SLOW_DOWN =
      Set.of(
          "SlowDown",
          "SlowDownRead",
          "SlowDownWrite",
          "ServiceUnavailable",
          "RequestLimitExceeded",
          "Throttling",
          "ThrottlingException",
          "TooManyRequests",
          "BandwidthLimitExceeded");

  /** Error codes with a 4xx status that are transient. */
  private static final Set<String> PASSING =
      Set.of(
          "RequestTimeout",
          "ConditionalRequestConflict",
          "OperationAborted",
          // Somebody aborted the upload; the next attempt has another id.
          "NoSuchUpload",
          "BadDigest",
          "InvalidDigest",
          "XAmzContentSHA256Mismatch",
          "XAmzContentChecksumMismatch",
          "IncompleteBody");

  /** Error codes with status 404 that do not mean a missing object; the second is versitygw's. */
  private static final Set<String> OTHERS_NOT_FOUND = Set.of("NoSuchBucket", "XAdminUserNotFound");

  /**
   * @param uri the destination, for messages
   */
  Failures(URI uri) {
    super(uri, SdkException.class);
  }

  @Override
  protected DestinationException of(String operation, String key, SdkException e) {
    if (e instanceof AwsServiceException answer) {
      return ofAnswer(operation, key, answer);
    }
    if (e instanceof AbortedException) {
      return interrupted(operation, key, e);
    }
    if (AnswerChecks.unexpected(e).isPresent()) {
      return noAnswer(operation, key, AnswerChecks.unexpected(e).get());
    }
    String reason = String.valueOf(e.getMessage());
    if (reason.contains("Unable to load credentials")) {
      return new PermanentDestinationException(
          uri(),
          operation,
          key,
          "no credentials were found (environment, profile, web identity, container, instance"
              + " role)",
          "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the instance a"
              + " role.",
          e);
    }
    if (reason.contains("Unable to load region")) {
      return noRegion(operation, key, e);
    }
    return noAnswer(operation, key, e);
  }

  @Override
  protected boolean isTimeout(Throwable e) {
    return e instanceof ApiCallAttemptTimeoutException || super.isTimeout(e);
  }

  PermanentDestinationException noRegion(String operation, String key, Throwable cause) {
    return new PermanentDestinationException(
        uri(),
        operation,
        key,
        "the region of the bucket is not known",
        "Add ?region=NAME to the URI, or set AWS_REGION.",
        cause);
  }

  /** Returns whether the answer means that the object does not exist. */
  static boolean isNoSuchObject(AwsServiceException answer) {
    return answer.statusCode() == 404
        && !OTHERS_NOT_FOUND.contains(code(answer))
        && !isStrangers(answer);
  }

  /** Returns whether an answer has neither a code of S3 nor the id of a request. */
  private static boolean isStrangers(AwsServiceException answer) {
    @Nullable String request = answer.requestId();
    return answer.statusCode() == 404
        && code(answer).isEmpty()
        && (request == null || request.isEmpty());
  }

  @Override
  protected boolean asksToSlowDown(SdkException e) {
    return e instanceof AwsServiceException answer
        && (answer.statusCode() == 503
            || answer.statusCode() == 429
            || SLOW_DOWN.contains(code(answer)));
  }

  /** Returns the error code of an answer; empty if there is none. */
  static String code(AwsServiceException answer) {
    @Nullable AwsErrorDetails details = answer.awsErrorDetails();
    @Nullable String code = details == null ? null : details.errorCode();
    return code == null ? "" : code;
  }

  private DestinationException ofAnswer(String operation, String key, AwsServiceException answer) {
    String code = code(answer);
    int status = answer.statusCode();
    String reason = reason(answer, code);
    if (isStrangers(answer)) {
      return strangers(operation, key, reason, answer);
    }
    String hint = hint(operation, status, code, bucketRegion(answer));
    if (!isPermanent(status, code)) {
      return new TransientDestinationException(uri(), operation, key, reason, hint, answer);
    }
    if (code.equals(COLD)) {
      return new ColdObjectException(uri(), operation, key, reason, hint, answer);
    }
    return isRefusal(status, code)
        ? new RefusedDestinationException(uri(), operation, key, reason, hint, answer)
        : new PermanentDestinationException(uri(), operation, key, reason, hint, answer);
  }

  /** Other codes with this status are about the credentials themselves. */
  private static boolean isRefusal(int status, String code) {
    return status == FORBIDDEN && (code.isEmpty() || code.equals("AccessDenied"));
  }

  private static String reason(AwsServiceException answer, String code) {
    @Nullable AwsErrorDetails details = answer.awsErrorDetails();
    @Nullable String said = details == null ? null : details.errorMessage();
    @Nullable String request = answer.requestId();
    return new ErrorAnswer(
            answer.statusCode(), code, said == null ? "" : said, request == null ? "" : request)
        .text();
  }

  private static boolean isPermanent(int status, String code) {
    if (SLOW_DOWN.contains(code) || PASSING.contains(code) || status == 408 || status == 429) {
      return false;
    }
    return (status >= 300 && status < 500)
        || status == 501
        || status == 507
        || code.equals("XMinioStorageFull");
  }

  private static Optional<String> bucketRegion(AwsServiceException answer) {
    @Nullable AwsErrorDetails details = answer.awsErrorDetails();
    if (details == null || details.sdkHttpResponse() == null) {
      return Optional.empty();
    }
    return details.sdkHttpResponse().firstMatchingHeader("x-amz-bucket-region");
  }

  private static String hint(
      String operation, int status, String code, Optional<String> bucketRegion) {
    return switch (code) {
      case "AccessDenied", "AllAccessDisabled", "AccountProblem" ->
          "Allow " + action(operation) + "; docs/guide/s3.md has the policy.";
      case "InvalidAccessKeyId", "XAdminUserNotFound", "SignatureDoesNotMatch", "InvalidSecurity" ->
          "The access key or its secret is not the server's: check AWS_ACCESS_KEY_ID,"
              + " AWS_SECRET_ACCESS_KEY and AWS_PROFILE.";
      case "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "RequestExpired" ->
          "The temporary credentials are over: renew them; those of a role or a profile are read"
              + " anew by themselves.";
      case "RequestTimeTooSkewed" ->
          "This machine's clock is wrong by more than 15 minutes: synchronize it (timedatectl).";
      case "NoSuchBucket" -> "Create the bucket, or correct its name or the endpoint.";
      case "PermanentRedirect",
          "TemporaryRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException" ->
          region(bucketRegion);
      case COLD ->
          "The object is in a storage class from which it must be restored first, such as Glacier"
              + " Deep Archive: aws s3api restore-object does that; docs/guide/s3.md says more.";
      case "InvalidStorageClass" -> "Correct storage-class in the URI.";
      case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage" ->
          "The server is full: free space or raise the quota there; nothing is lost meanwhile.";
      case "EntityTooLarge" ->
          "The server takes only smaller objects: lower "
              + (operation.equals("upload") ? "merge_to." : "--segment-size.");
      case "KeyTooLongError" -> "Use a shorter prefix.";
      case "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch" ->
          "The bytes were damaged on their way and refused.";
      case "NotImplemented" -> "The server lacks what was asked; see the options in the URI.";
      default -> {
        if (code.startsWith("KMS.")) {
          yield "Check kms-key in the URI, and that the key's policy lets this account use it.";
        }
        yield switch (status) {
          case 301, 307 -> region(bucketRegion);
          case 401, 403 ->
              "Check the credentials, and that the policy allows "
                  + action(operation)
                  + "; docs/guide/s3.md has the policy.";
          case 404 -> "Check the bucket's name and the endpoint.";
          case 429, 503 -> "The server asks to slow down.";
          case 507 -> "The server is full: free space there; nothing is lost meanwhile.";
          default ->
              status >= 500
                  ? DestinationException.MAY_PASS
                  : "Look the code up in the server's list of error responses.";
        };
      }
    };
  }

  /** Returns what a policy must allow for the operation. */
  private static String action(String operation) {
    return switch (operation) {
      case "put" ->
          "s3:PutObject on the prefix, and kms:GenerateDataKey on the key where a KMS key is used";
      case "read" ->
          "s3:GetObject on the prefix, kms:Decrypt on the key where a KMS key is used, and"
              + " s3:ListBucket on the bucket, without which AWS answers so for what is not there";
      case "upload" ->
          "s3:PutObject, s3:GetObject and s3:AbortMultipartUpload on the prefix, s3:ListBucket on"
              + " the bucket, without which AWS answers so for what is not there, and"
              + " kms:GenerateDataKey and kms:Decrypt on the key where a KMS key is used";
      case "list" -> "s3:ListBucket on the bucket";
      case "delete" -> "s3:DeleteObject on the prefix";
      default -> "s3:PutObject, s3:GetObject and s3:DeleteObject on the prefix and s3:ListBucket";
    };
  }

  private static String region(Optional<String> bucketRegion) {
    return bucketRegion
        .map(region -> "Add ?region=" + region + " to the URI.")
        .orElse("Set the bucket's region: ?region=NAME in the URI, or AWS_REGION.");
  }
}
