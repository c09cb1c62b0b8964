package dev.tailwater.destination.s3;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** Trust for a client that makes no TLS connections: every certificate is refused. */
final class TrustNobody implements X509TrustManager {
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw refusal();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw refusal();
  }

  private static CertificateException refusal() {
    return new CertificateException("the endpoint in the URI is one without TLS");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
