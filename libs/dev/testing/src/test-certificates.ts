import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IssuedCertificate {
  certFile: string;
  keyFile: string;
}

export interface CertificateOptions {
  /** Alternative names in the format of OpenSSL: `DNS:localhost`. */
  names?: string;
  /** Days of validity; negative for an expired certificate. */
  days?: number;
  commonName?: string;
}

/** A certificate authority for one test. Debian installs OpenSSL with PostgreSQL. */
export class TestAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-ca-'));
  readonly caFile = join(this.folder, 'ca.crt');
  private readonly caKeyFile = join(this.folder, 'ca.key');
  private issued = 0;

  constructor() {
    openssl(
      ['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=test authority'],
      ['-keyout', this.caKeyFile, '-out', this.caFile],
    );
  }

  /** Issues a certificate, by default for `localhost` and 127.0.0.1. */
  issue(options: CertificateOptions = {}): IssuedCertificate {
    const { names = 'DNS:localhost,IP:127.0.0.1', days = 2, commonName = 'localhost' } = options;
    const path = join(this.folder, String(++this.issued));
    const [certFile, keyFile, request, extensions] = ['crt', 'key', 'csr', 'ext'].map(
      (it) => `${path}.${it}`,
    );
    openssl(['req', ...newKey, '-subj', `/CN=${commonName}`], ['-keyout', keyFile!, '-out', request!]);
    writeFileSync(extensions!, `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    openssl(
      ['x509', '-req', '-in', request!, '-CA', this.caFile, '-CAkey', this.caKeyFile, '-CAcreateserial'],
      ['-days', String(days), '-extfile', extensions!, '-out', certFile!],
    );
    return { certFile: certFile!, keyFile: keyFile! };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function openssl(command: readonly string[], files: readonly string[]): void {
  execFileSync('openssl', [...command, ...files], { stdio: ['ignore', 'ignore', 'pipe'] });
}
