import { isTlsUrl, readTlsFiles, type TlsFiles } from '@tollbridge/config';
import { checkServerIdentity, type ConnectionOptions, type PeerCertificate } from 'node:tls';

export interface PostgresConnection {
  /** Without the TLS parameters, which node-postgres would read by other rules than libpq. */
  url: string;
  /** TLS of one connection, with the certificates as they are now; absent for a connection without TLS. */
  ssl?: () => ConnectionOptions;
}

/**
 * How to connect to a database. With TLS the certificate is always verified, with the host name (`verify-full`).
 * @param url with `sslmode=verify-full`, or without `sslmode` where `files` has a CA file, for TLS
 */
export function postgresConnection(url: string, files: TlsFiles = {}): PostgresConnection {
  const parsed = new URL(url);
  const isEncrypted = isTlsUrl(parsed, files.caFile);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const isStated = parsed.searchParams.has('sslmode');
  parsed.searchParams.delete('sslmode');
  if (!isEncrypted) return { url: isStated ? parsed.toString() : url };
  return {
    url: parsed.toString(),
    ssl: () => ({
      ...readTlsFiles(files),
      rejectUnauthorized: true,
      // node-postgres names no host that is an IP address, and node would verify the name `localhost`.
      checkServerIdentity: (_name: string, certificate: PeerCertificate) =>
        checkServerIdentity(host, certificate),
    }),
  };
}
