import { isTlsUrl, readTlsFiles, type TlsFiles } from '@tollbridge/config';
import { checkServerIdentity, type ConnectionOptions, type PeerCertificate } from 'node:tls';

export interface PostgresConnection {
  /** URL without TLS parameters, which node-postgres interprets differently from libpq. */
  url: string;
  /**
   * Returns the TLS options of a connection, with certificates read at the call; absent for a connection without TLS.
   */
  ssl?: () => ConnectionOptions;
}

/**
 * Returns how to connect to a database. With TLS the certificate and the host name are always verified (`verify-full`).
 * @param url for TLS has `sslmode=verify-full`, or no `sslmode` if `files` contains a CA file
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
      // node-postgres omits a host that is an IP address, and Node would then verify the name `localhost`.
      checkServerIdentity: (_name: string, certificate: PeerCertificate) =>
        checkServerIdentity(host, certificate),
    }),
  };
}
