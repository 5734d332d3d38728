// SPDX-License-Identifier: MIT
// Names in X.509 certificates, which OpenSSL reads.
#include <arpa/inet.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>
#include <memory>

#include "tls/cursor.h"
#include "tls/handshake.h"

namespace kparse::tls {
namespace {

constexpr std::size_t max_names = 8, max_text = 255;

struct CertificateFreed {
  void operator()(X509* p) const noexcept { X509_free(p); }
  void operator()(GENERAL_NAMES* p) const noexcept { GENERAL_NAMES_free(p); }
};

void add(std::vector<std::string>& names, const unsigned char* at, int n) {
  if (at == nullptr || n <= 0 || names.size() >= max_names) return;
  std::string name(reinterpret_cast<const char*>(at), std::min<std::size_t>(static_cast<std::size_t>(n), max_text));
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

std::string address(const unsigned char* at, int n) {
  char out[INET6_ADDRSTRLEN];
  if (n != 4 && n != 16) return {};
  return inet_ntop(n == 4 ? AF_INET : AF_INET6, at, out, sizeof out) != nullptr ? out : "";
}

}  // namespace

std::vector<std::string> read_certificate(Bytes body, bool with_context) {
  Cursor c(body);
  if (with_context) c.counted(1);  // certificate_request_context
  Cursor list(c.counted(3));
  const Bytes first = list.counted(3);
  std::vector<std::string> names;
  if (first.empty() || first.size() > LONG_MAX) return names;
  const unsigned char* at = first.data();
  const std::unique_ptr<X509, CertificateFreed> cert(d2i_X509(nullptr, &at, static_cast<long>(first.size())));
  if (!cert) return names;

  const X509_NAME* subject = X509_get_subject_name(cert.get());
  if (const int i = subject != nullptr ? X509_NAME_get_index_by_NID(subject, NID_commonName, -1) : -1; i >= 0) {
    unsigned char* utf8 = nullptr;
    const int n = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, i)));
    if (n > 0) add(names, utf8, n);
    OPENSSL_free(utf8);
  }
  const std::unique_ptr<GENERAL_NAMES, CertificateFreed> others(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(cert.get(), NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; others && i < sk_GENERAL_NAME_num(others.get()) && names.size() < max_names; ++i) {
    const GENERAL_NAME* g = sk_GENERAL_NAME_value(others.get(), i);
    if (g->type == GEN_DNS) {
      add(names, ASN1_STRING_get0_data(g->d.dNSName), ASN1_STRING_length(g->d.dNSName));
    } else if (g->type == GEN_IPADD) {
      const std::string ip = address(ASN1_STRING_get0_data(g->d.iPAddress), ASN1_STRING_length(g->d.iPAddress));
      add(names, reinterpret_cast<const unsigned char*>(ip.data()), static_cast<int>(ip.size()));
    }
  }
  return names;
}

}  // namespace kparse::tls
