package dev.tailwater.destination.s3;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signature version 4 with {@code UNSIGNED-PAYLOAD} on connections without TLS too, where the SDK
 * would compute the SHA-256 of every body. Everything else is signed, and so is the header with the
 * CRC-32C of the body, which the server compares.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html">
 *     Authenticating requests</a>
 */
final class BodySigning implements AwsV4AuthScheme {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final AwsV4HttpSigner signer = new AsIfByTls(AwsV4HttpSigner.create());

  @Override
  public String schemeId() {
    return SCHEME_ID;
  }

  @Override
  public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
    return providers.identityProvider(AwsCredentialsIdentity.class);
  }

  @Override
  public AwsV4HttpSigner signer() {
    return signer;
  }

  /**
   * Signs a request as it would be for TLS, on which the SDK leaves bodies out. What is signed does
   * not name the protocol, except that the standard port is not part of the host.
   */
  private static final class AsIfByTls implements AwsV4HttpSigner {
    private final AwsV4HttpSigner real;

    AsIfByTls(AwsV4HttpSigner real) {
      this.real = real;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
      SdkHttpRequest plain = request.request();
      SignedRequest signed = real.sign(request.toBuilder().request(withTls(plain)).build());
      return signed.toBuilder().request(as(plain, signed.request())).build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(
        AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
      return real.signAsync(request); // The destination sends no request in this way.
    }

    private static SdkHttpRequest withTls(SdkHttpRequest plain) {
      int port = plain.port() == HTTP_PORT ? HTTPS_PORT : plain.port();
      return plain.toBuilder().protocol("https").port(port).build();
    }

    private static SdkHttpRequest as(SdkHttpRequest plain, SdkHttpRequest signed) {
      return signed.toBuilder().protocol(plain.protocol()).port(plain.port()).build();
    }
  }
}
