import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { serverKinds, type ServerKind } from './server-kinds';
import type { Setting } from './setting';
import { UnusableValue } from './unusable-value';

const serverNames: Record<ServerKind, string> = { database: 'PostgreSQL', nats: 'NATS', redis: 'Redis' };
const maxPemBytes = 1_048_576;

/** Files that a client needs to verify a server and to authenticate to it. Absent files are not used. */
export interface TlsFiles {
  /** Certificates of the CAs that may sign the server's certificate; by default the CAs of the system. */
  caFile?: string;
  /** The client's own certificate, with its chain. */
  certFile?: string;
  keyFile?: string;
}

/** Contents of `TlsFiles`, in the form that `node:tls` accepts. */
export interface TlsMaterial {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
}

export const caFileVariable = (kind: ServerKind): string => `${kind.toUpperCase()}_CA_FILE`;
const certFileVariable = (kind: ServerKind): string => `${kind.toUpperCase()}_CERT_FILE`;
const keyFileVariable = (kind: ServerKind): string => `${kind.toUpperCase()}_KEY_FILE`;

type TlsSettings<P extends string> = Record<
  `${P}_CA_FILE` | `${P}_CERT_FILE` | `${P}_KEY_FILE`,
  Setting<string>
>;

/** Returns the TLS settings for one kind of server: `NATS_CA_FILE`, `NATS_CERT_FILE`, `NATS_KEY_FILE`. */
export function tlsSettings<const K extends ServerKind>(kind: K): TlsSettings<Uppercase<K>> {
  const [server, [cert, key]] = [serverNames[kind], [certFileVariable(kind), keyFileVariable(kind)]];
  return {
    [caFileVariable(kind)]: pemFile(
      `PEM file with the certificates of the CAs that ${server} has its certificate from; TLS is on with it. Empty: the CAs of the system`,
      `/etc/tollbridge/${kind}/ca.crt`,
      (bytes) => void new X509Certificate(bytes),
    ),
    [cert]: pemFile(
      `PEM file with the client certificate for ${server}; needs ${key}. Empty: none`,
      `/etc/tollbridge/${kind}/tls.crt`,
      (bytes, env) => requirePair(bytes, env[key], key),
    ),
    [key]: pemFile(
      `PEM file with the private key of ${cert}`,
      `/etc/tollbridge/${kind}/tls.key`,
      (bytes, env) => {
        if (!env[cert]) throw new UnusableValue(`needs ${cert} too`);
        void createPrivateKey(bytes);
      },
    ),
  } as TlsSettings<Uppercase<K>>;
}

/** Returns the files for one kind of server from a configuration that was loaded with `tlsSettings`. */
export function tlsFilesOf(config: unknown, kind: ServerKind): TlsFiles {
  const values = (config ?? {}) as Record<string, string | undefined>;
  const files: TlsFiles = {};
  const [ca, cert, key] = [caFileVariable, certFileVariable, keyFileVariable].map(
    (name) => values[name(kind)],
  );
  if (ca) files.caFile = ca;
  if (cert) files.certFile = cert;
  if (key) files.keyFile = key;
  return files;
}

/**
 * Reads the files for each use, because certificates are replaced while a process runs. @throws when a file
 * is unreadable
 */
export function readTlsFiles({ caFile, certFile, keyFile }: TlsFiles): TlsMaterial {
  return {
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile) }),
    ...(keyFile && { key: readFileSync(keyFile) }),
  };
}

/**
 * The kinds of servers that ALLOW_PLAINTEXT exempts from TLS in production, each with its reason, such as
 * `nats=the service mesh encrypts it,redis=private link`.
 */
export function readAllowedPlaintext(
  env: NodeJS.ProcessEnv,
  problems: string[],
): ReadonlyMap<string, string> {
  const entries = (env['ALLOW_PLAINTEXT'] ?? '').split(',').filter(Boolean);
  const allowed = new Map<string, string>();
  for (const entry of entries) {
    const [kind = '', ...rest] = entry.split('=');
    const reason = rest.join('=').trim();
    if (!(serverKinds as readonly string[]).includes(kind.trim()) || reason === '')
      problems.push(
        `ALLOW_PLAINTEXT must be kind=reason, separated by commas, with the kinds ${serverKinds.join(', ')}`,
      );
    else allowed.set(kind.trim(), reason);
  }
  return allowed;
}

export const plaintextProblem = (name: string, kind: ServerKind): string =>
  `${name} reaches ${serverNames[kind]} without TLS: set ${caFileVariable(kind)} or a URL with TLS, or set ALLOW_PLAINTEXT=${kind}=REASON`;

function pemFile(
  description: string,
  example: string,
  verify: (bytes: Buffer, env: NodeJS.ProcessEnv) => void,
): Setting<string> {
  return {
    description,
    example,
    default: '',
    read(path, env = {}) {
      const bytes = readPem(path);
      try {
        verify(bytes, env);
      } catch (error) {
        if (error instanceof UnusableValue) throw error;
        // Error messages of OpenSSL may quote the file.
        throw new UnusableValue(`file ${path} is not PEM of the right kind`);
      }
      return path;
    },
  };
}

function readPem(path: string): Buffer {
  try {
    if (statSync(path).size <= maxPemBytes) return readFileSync(path);
  } catch (error) {
    throw new UnusableValue(`file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  throw new UnusableValue(`file ${path} is too large`);
}

function requirePair(certificate: Buffer, keyFile: string | undefined, variable: string): void {
  if (!keyFile) throw new UnusableValue(`needs ${variable} too`);
  const key = createPrivateKey(readPem(keyFile));
  if (!new X509Certificate(certificate).checkPrivateKey(key))
    throw new UnusableValue(`does not belong to the key of ${variable}`);
}
