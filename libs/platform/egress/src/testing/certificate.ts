/** A certificate of hooks.example.com that nobody trusts by himself, and its key: for tests, worth nothing. */
export const certificate = {
  key: `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIHr1yJEF5obCGX3y/sGZcF/VjOEiKUJDFhD+kwkiyh9voAoGCCqGSM49
AwEHoUQDQgAEQYRhcNbwOVFGrdmIRqhHKpkLaiTcbmZoYKYJUwS6tDYODXiHXrXM
6QCjG4W/HwFSDC+Q1v1NHYXjmiqVOuMIYQ==
-----END EC PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAARBhGFw1vA5UUat2YhGqEcqmQtqJNxuZmhgpglTBLq0Ng4NeIdetczpAKMb
hb8fAVIML5DW/U0dheOaKpU64whho1AwTjAPBgNVHRMBAf8EBTADAQH/MBwGA1Ud
EQQVMBOCEWhvb2tzLmV4YW1wbGUuY29tMB0GA1UdDgQWBBQu6QacuW14tTnYaVEd
AyOOkrH2UDAKBggqhkjOPQQDAgNIADBFAiBIK7G0tvUegz2Zi9we+9Lf4XBJoSx5
ML4BhCM1cyRCpgIhAKZk/kk+xOW6LSd6KRprhbcSeBSq43j1btoGFwid/eme
-----END CERTIFICATE-----`,
};
