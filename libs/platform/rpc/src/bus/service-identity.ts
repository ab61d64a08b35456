import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { decrypt, encrypt } from './authenticated-encryption';

/**
 * Returns the public keys of an app (base64url, 32 bytes each), the one to use first. Two keys during a
 * rotation, none for an unknown app.
 */
export type IdentityDirectory = (app: string) => readonly string[];

/** The parts of a call that its signature covers. */
export interface SignedCall {
  subject: string;
  /** The header fields of the call in one text, in a fixed order. */
  fields: string;
  body: Uint8Array;
}

/** The two bodies of a call that are sealed: its input and its reply. */
export type SealedPart = 'sealed-call' | 'sealed-reply';

/** Context of a sealed body. The body cannot be opened with another context. */
export interface SealContext {
  subject: string;
  /** Inbox of the reply, which is unique to the call. */
  reply: string;
  /** Error code, if the reply is a failure. */
  failure?: string;
}

export interface SealedBody {
  /** Apps, key ids and time of the seal, as written in the header. */
  seal: string;
  body: Uint8Array;
}

export const callRejections = [
  'unsigned',
  'unsealed',
  'malformed',
  'unknownKey',
  'expired',
  'forged',
  'notAllowed',
  'replySubject',
] as const;
export type CallRejection = (typeof callRejections)[number];
/** Reasons for the rejection of a reply to a sealed call. */
export const replyRejections = [
  'unsealed',
  'malformed',
  'unknownKey',
  'forged',
] as const satisfies CallRejection[];

/** Reasons for the rejection of an event. */
export const eventRejections = ['unsigned', 'malformed', 'unknownKey', 'forged', 'notOfPublisher'] as const;
export type EventRejection = (typeof eventRejections)[number];

/** Rejection of a call. Its reason is for logs and metrics, never for the caller. */
export class CallRejectedError extends Error {
  constructor(
    readonly reason: CallRejection,
    readonly caller?: string,
  ) {
    super(`the call was rejected: ${reason}`);
    this.name = 'CallRejectedError';
  }
}

interface KeyPair {
  id: string;
  publicKey: string;
  privateKey: KeyObject;
}

interface PublicKey {
  id: string;
  key: KeyObject;
}

/** Purpose of a derived key. Each key has exactly one purpose. */
type Purpose = 'call' | 'event' | SealedPart;

/** The keys of two apps. `path` contains the apps and the ids of their keys, the sender first. */
interface KeysOfPair {
  own: KeyPair;
  peer: PublicKey;
  path: string;
}

const version = 'v1';
// Clocks of synchronised servers differ by far less. After this time a captured call is useless.
const maxClockDifferenceMs = 60_000;
// A derived key that leaks from memory can only forge calls of one pair of apps, for an hour.
const epochMs = 60 * 60_000;
// HMAC-SHA-256 may be truncated to half of its length (RFC 2104, section 5): 22 characters of base64url are 132 bits.
const macLength = 22;
const maxKeysPerApp = 2;
// Above the number of apps. Only a directory that accepts every name could exceed it.
const maxPeers = 64;
// Enough for two hours of calls and events of every peer. The rest caches keys for events of previous days.
const maxSharedKeys = 512;
// The form limits the time to a number in range, because a key is derived for its hour.
const sealForm = /^v1\.([^.]+)\.([^.]+)\.([^.]+)\.([0-9a-z]{1,10})$/;
/** A shorter secret could be guessed. */
export const minIdentitySecretLength = 32;

// The DER prefix of an X25519 private key (RFC 8410). Node.js imports raw keys only as JWK or DER.
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

/**
 * Signs and verifies calls between apps. Each pair of apps shares keys that only these two can derive
 * (X25519, then HKDF for each direction and hour). A stolen identity of an app can therefore only forge calls
 * from that app and to that app.
 *
 * A signature covers subject, header fields and body, and is valid for a minute (decision 39). Bodies with
 * secrets are sealed with keys of the same kind (decision 92).
 */
export class ServiceIdentity {
  private readonly own: readonly KeyPair[];
  private readonly peers = new Map<string, readonly PublicKey[]>();
  private readonly sharedKeys = new Map<string, KeyObject>();

  /**
   * @param secrets the app's own secrets, the current one first, at most two
   * @throws Error when a secret is too short, or the directory lists another key for the app
   */
  constructor(
    readonly app: string,
    secrets: readonly string[],
    private readonly directory: IdentityDirectory,
    private readonly now: () => number = Date.now,
  ) {
    if (secrets.length < 1 || secrets.length > maxKeysPerApp)
      throw new Error(`an app has one or ${maxKeysPerApp} identity secrets`);
    this.own = secrets.map(keyPairOf);
    if (!directory(app).includes(this.own[0]!.publicKey))
      throw new Error(`the directory of identities does not list the key of the secret of ${app}`);
  }

  /** Whether the directory lists an app. */
  knows(app: string): boolean {
    return this.peerKeys(app).length > 0;
  }

  /** Returns the signature of a call, as its header value. @throws Error when the directory does not list the callee */
  sign(callee: string, call: SignedCall): string {
    return this.signFor('call', callee, call);
  }

  /**
   * Returns the signature of an event for one receiving app. It does not expire, because an event may wait for days.
   * @throws Error when the directory does not list the receiver
   */
  signEvent(receiver: string, event: SignedCall): string {
    return this.signFor('event', receiver, event);
  }

  private signFor(purpose: Purpose, callee: string, signed: SignedCall): string {
    const { key, head, sentAt } = this.sending(purpose, callee);
    return `${head}.${macOf(key, sentAt, signed)}`;
  }

  /**
   * Verifies the signature of a call. @returns the app that signed it
   * @throws CallRejectedError when the signature is missing, malformed, too old, or does not match the call
   */
  verify(signature: string, call: SignedCall): string {
    const parsed = parseSignature(signature);
    if (parsed.kind !== 'parsed') throw new CallRejectedError(parsed.kind);
    const issuedAtMs = parseInt(parsed.issuedAt, 36);
    // False for NaN too. An unknown key is reported before an invalid time.
    const isCurrent = Math.abs(this.now() - issuedAtMs) <= maxClockDifferenceMs;
    const reason = this.mismatch('call', parsed, call, isCurrent);
    if (reason) throw new CallRejectedError(reason);
    return parsed.signer;
  }

  /**
   * Encrypts the body of a call or of a reply, so that only `receiver` can read it.
   * @throws Error when the directory does not list the receiver
   */
  seal(part: SealedPart, receiver: string, context: SealContext, body: Uint8Array): SealedBody {
    const { key, head } = this.sending(part, receiver);
    return { seal: head, body: encrypt(key, sealContext(head, context), body) };
  }

  /**
   * Decrypts a body that `sender` has sealed for this app and this context.
   * @throws CallRejectedError when the body was not sealed by `sender` for this context
   */
  open(part: SealedPart, sender: string, context: SealContext, { seal, body }: SealedBody): Buffer {
    if (seal === '') throw new CallRejectedError('unsealed', sender);
    const match = sealForm.exec(seal);
    if (!match) throw new CallRejectedError('malformed', sender);
    const [, sealer, sealerKeyId, receiverKeyId, sealedAt] = match as unknown as string[];
    const keys = sealer === sender && this.receivingKeys(sender, sealerKeyId!, receiverKeyId!);
    if (!keys) throw new CallRejectedError('unknownKey', sender);
    const key = this.sharedKey(part, keys, parseInt(sealedAt!, 36));
    const opened = decrypt(key, sealContext(seal, context), body);
    if (!opened) throw new CallRejectedError('forged', sender);
    return opened;
  }

  /** Returns why an event is rejected: `source` must have signed it for this app. Undefined for a valid event. */
  rejectionOf(signature: string, source: string, event: SignedCall): EventRejection | undefined {
    const parsed = parseSignature(signature);
    if (parsed.kind !== 'parsed') return parsed.kind;
    if (parsed.signer !== source) return 'notOfPublisher';
    // A number in range is required, because a key is derived for its hour.
    if (!/^[0-9a-z]{1,10}$/.test(parsed.issuedAt)) return 'malformed';
    return this.mismatch('event', parsed, event) as 'unknownKey' | 'forged' | undefined;
  }

  private mismatch(
    purpose: Purpose,
    { signer, signerKeyId, receiverKeyId, issuedAt, mac }: ParsedSignature,
    signed: SignedCall,
    isCurrent = true,
  ): 'unknownKey' | 'expired' | 'forged' | undefined {
    const keys = this.receivingKeys(signer, signerKeyId, receiverKeyId);
    if (!keys) return 'unknownKey';
    if (!isCurrent) return 'expired';
    const key = this.sharedKey(purpose, keys, parseInt(issuedAt, 36));
    const expected = Buffer.from(macOf(key, issuedAt, signed));
    const given = Buffer.from(mac);
    return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'forged';
  }

  /** Returns the current key for messages to `receiver`. `head`: the apps, their keys and the time, as header value. */
  private sending(purpose: Purpose, receiver: string): { key: KeyObject; head: string; sentAt: string } {
    const own = this.own[0]!;
    const [peer] = this.peerKeys(receiver);
    if (!peer) throw new Error(`the directory of identities does not list ${receiver}`);
    const nowMs = this.now();
    const path = `${this.app}.${own.id}.${receiver}.${peer.id}`;
    const sentAt = nowMs.toString(36);
    return {
      key: this.sharedKey(purpose, { own, peer, path }, nowMs),
      head: `${version}.${this.app}.${own.id}.${peer.id}.${sentAt}`,
      sentAt,
    };
  }

  private receivingKeys(sender: string, senderKeyId: string, receiverKeyId: string): KeysOfPair | undefined {
    const peer = this.peerKeys(sender).find(({ id }) => id === senderKeyId);
    const own = this.own.find(({ id }) => id === receiverKeyId);
    return peer && own && { own, peer, path: `${sender}.${senderKeyId}.${this.app}.${receiverKeyId}` };
  }

  private peerKeys(app: string): readonly PublicKey[] {
    const known = this.peers.get(app);
    if (known) return known;
    const keys = this.directory(app).map(publicKeyOf);
    if (keys.length > 0 && this.peers.size < maxPeers) this.peers.set(app, keys);
    return keys;
  }

  private sharedKey(purpose: Purpose, { own, peer, path }: KeysOfPair, atMs: number): KeyObject {
    const name = `${path}.${Math.floor(atMs / epochMs)}`;
    const cached = `${purpose}.${name}`;
    const known = this.sharedKeys.get(cached);
    if (known) return known;
    this.forgetKeys();
    const secret = diffieHellman({ privateKey: own.privateKey, publicKey: peer.key });
    const derived = hkdfSync('sha256', secret, '', `tollbridge ${purpose} ${version} ${name}`, 32);
    const key = createSecretKey(Buffer.from(derived));
    this.sharedKeys.set(cached, key);
    return key;
  }

  /** Removes the oldest keys, which belong to past hours. An app uses about ten keys at a time. */
  private forgetKeys(): void {
    for (const name of this.sharedKeys.keys()) {
      if (this.sharedKeys.size < maxSharedKeys) return;
      this.sharedKeys.delete(name);
    }
  }
}

/** Returns the public key of an identity secret, in the form of a directory. */
export function identityPublicKey(secret: string): string {
  return keyPairOf(secret).publicKey;
}

/** Returns a public secret for the sandbox and tests. The configuration rejects it in other environments. */
export function developmentIdentitySecret(app: string): string {
  return `development-identity-of-${app}-known-to-everybody`;
}

/** The directory of the development secrets, for any app name. */
export const developmentDirectory: IdentityDirectory = (app) => [
  identityPublicKey(developmentIdentitySecret(app)),
];

/** Returns the identity of an app in tests, and in a sandbox without configured identities. */
export function developmentIdentity(app: string, now?: () => number): ServiceIdentity {
  return new ServiceIdentity(app, [developmentIdentitySecret(app)], developmentDirectory, now);
}

/**
 * Reads a directory: a JSON object of app names, each with a list of one or two public keys.
 * @throws Error with the reason, for an invalid directory
 */
export function readIdentityDirectory(json: string): IdentityDirectory {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('it must be an object of app names and lists of public keys');
  const entries = new Map(Object.entries(parsed as Record<string, unknown>));
  for (const [app, keys] of entries) {
    const isList = Array.isArray(keys) && keys.length >= 1 && keys.length <= maxKeysPerApp;
    if (!isList || !keys.every((key) => typeof key === 'string' && /^[A-Za-z0-9_-]{43}$/.test(key)))
      throw new Error(`it must list one or ${maxKeysPerApp} public keys for ${app.slice(0, 40)}`);
  }
  return (app) => (entries.get(app) ?? []) as string[];
}

function keyPairOf(secret: string): KeyPair {
  if (secret.length < minIdentitySecretLength)
    throw new Error(`an identity secret must have at least ${minIdentitySecretLength} characters`);
  const raw = createHash('sha256').update('tollbridge service identity v1\n').update(secret).digest();
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, raw]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }).x!;
  return { id: keyIdOf(publicKey), publicKey, privateKey };
}

function publicKeyOf(text: string): PublicKey {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: text }, format: 'jwk' });
  return { id: keyIdOf(text), key };
}

const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(publicKey).digest('base64url').slice(0, 8);

interface ParsedSignature {
  kind: 'parsed';
  signer: string;
  signerKeyId: string;
  receiverKeyId: string;
  /** Milliseconds since 1970 in base 36. */
  issuedAt: string;
  mac: string;
}

function parseSignature(signature: string): ParsedSignature | { kind: 'unsigned' | 'malformed' } {
  if (signature === '') return { kind: 'unsigned' };
  const parts = signature.split('.');
  if (parts.length !== 6 || parts[0] !== version) return { kind: 'malformed' };
  const [, signer, signerKeyId, receiverKeyId, issuedAt, mac] = parts as [
    ...[string, string, string],
    ...[string, string, string],
  ];
  return { kind: 'parsed', signer, signerKeyId, receiverKeyId, issuedAt, mac };
}

/** Encodes the context unambiguously: no part contains a NUL. */
const sealContext = (seal: string, { subject, reply, failure = '' }: SealContext): Buffer =>
  Buffer.from(`${seal}\0${subject}\0${reply}\0${failure}`);

function macOf(key: KeyObject, issuedAt: string, { subject, fields, body }: SignedCall): string {
  return createHmac('sha256', key)
    .update(`${subject}\0${issuedAt}\0${fields}\0`)
    .update(body)
    .digest('base64url')
    .slice(0, macLength);
}
