import type { ConnectionOptions } from 'node:tls';
import { isTlsUrl } from './server-urls';
import { readTlsFiles, type TlsFiles } from './tls-settings';

/**
 * Returns the TLS options of an ioredis client, or none for a URL without TLS. The files are read for each
 * connection, so that replaced certificates are used without a restart.
 */
export function redisTls(url: string, files: TlsFiles = {}): { tls?: ConnectionOptions } {
  if (!isTlsUrl(new URL(url), files.caFile)) return {};
  // ioredis evaluates these getters for every connection that it opens.
  const tls = {
    get ca() {
      return readTlsFiles(files).ca;
    },
    get cert() {
      return readTlsFiles(files).cert;
    },
    get key() {
      return readTlsFiles(files).key;
    },
    rejectUnauthorized: true,
  };
  return { tls: tls as ConnectionOptions };
}
