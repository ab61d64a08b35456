import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))))
    .digest();
const integer = (value: bigint | number | string, bytes: number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  );
const account = (address: string): Buffer => {
  const [workchain, hash] = address.split(':');
  return Buffer.concat([integer(BigInt.asUintN(32, BigInt(workchain!)), 4), Buffer.from(hash!, 'hex')]);
};

export interface Authorization {
  from: string;
  to: string;
  amount: string;
  asset: string;
  nonce: string;
  validAfter: string;
  validBefore: string;
  flags: number;
  publicKey: string;
}

export interface Resource {
  method: string;
  url: string;
  body?: string;
}

/** A TON wallet that signs payments, from the wallet's published code hash and layout. */
export class NanoPayer {
  readonly publicKey: string;
  readonly address: string;
  private readonly key: KeyObject;

  constructor(seed: Buffer = randomBytes(32)) {
    const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
    this.key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.key).export({ format: 'der', type: 'spki' });
    this.publicKey = spki.subarray(-32).toString('hex');
    this.address = walletV5Address(this.publicKey);
  }

  sign(digest: Buffer): Buffer {
    return sign(null, digest, this.key);
  }
}

// The hash identifies the code of wallet W5R1. A cell with a reference to it also contains its depth.
const w5Code = { hash: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f', depth: 6 };
const w5MainnetId = 0x7fffff11;

function walletV5Address(publicKey: string): string {
  // 322 bits: signature allowed, seqno 0, wallet id, key, no extensions; then the completion bit.
  const bits = `1${'0'.repeat(32)}${binary(integer(w5MainnetId, 4))}${binary(Buffer.from(publicKey, 'hex'))}0`;
  const padded = `${bits}1`.padEnd(328, '0');
  const data = Buffer.from(padded.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const dataHash = sha256(Buffer.from([0, 81]), data);
  // StateInit: no split depth, no special, code and data, no library: 00110 and the completion bit.
  const descriptor = Buffer.from([2, 1, 0b00110100]);
  const depths = Buffer.concat([integer(w5Code.depth, 2), integer(0, 2)]);
  return `0:${sha256(descriptor, depths, Buffer.from(w5Code.hash, 'hex'), dataHash).toString('hex')}`;
}

const binary = (bytes: Buffer): string =>
  [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');

export function resourceHash({ method, url, body }: Resource): Buffer {
  const digest = body === undefined ? '' : sha256(body).toString('hex');
  return sha256(`${method}\n${url}\n${digest}`);
}

/** SHA-256 of the 262 bytes of section 5.1. */
export function paymentDigest(
  { from, to, amount, nonce, validAfter, validBefore, flags }: Authorization,
  { networkId, verifyingContract, master }: { networkId: number; verifyingContract: string; master: string },
  resource: Buffer,
): Buffer {
  const bytes = Buffer.concat([
    Buffer.from('ffff', 'hex'),
    Buffer.from('ton-nanopay/v1'),
    Buffer.from([1, flags]),
    integer(BigInt.asUintN(32, BigInt(networkId)), 4),
    ...[verifyingContract, master, from, to].map(account),
    integer(amount, 16),
    integer(validAfter, 8),
    integer(validBefore, 8),
    Buffer.from(nonce, 'hex'),
    resource,
  ]);
  if (bytes.length !== 262) throw new Error(`expected 262 bytes, got ${bytes.length}`);
  return sha256(bytes);
}

export function confirmationId(digest: Buffer): string {
  return sha256(Buffer.from('ffff', 'hex'), 'ton-nanopay/v1', Buffer.from([0x10]), digest)
    .subarray(0, 16)
    .toString('hex');
}

/** Pays the first entry of the requirements for `resource`. Returns the header's value and the digest. */
export function authorize(
  payer: NanoPayer,
  accepted: any,
  resource: Resource,
  changes: Partial<Authorization> = {},
): { header: string; digest: Buffer; authorization: Authorization; signature: string } {
  const now = Math.floor(Date.now() / 1000);
  const authorization: Authorization = {
    from: payer.address,
    to: accepted.to,
    amount: accepted.amount,
    asset: accepted.asset,
    nonce: randomBytes(32).toString('hex'),
    validAfter: String(now - 2),
    validBefore: String(now + 60),
    flags: 1,
    publicKey: payer.publicKey,
    ...changes,
  };
  const { verifyingContract, asset: master } = accepted.extra;
  const digest = paymentDigest(
    authorization,
    { networkId: -239, verifyingContract, master },
    resourceHash(resource),
  );
  const signature = payer.sign(digest).toString('base64');
  const payload = { authorization, signature, signatureKind: 'raw' };
  const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString('base64');
  return { header, digest, authorization, signature };
}

/** The compact token of section 5.3: all fields that the four strings of /verify omit. */
export function compactToken(authorization: Authorization, resource: Buffer, signature: string): string {
  const bytes = Buffer.concat([
    Buffer.from([authorization.flags]),
    Buffer.from(authorization.nonce, 'hex'),
    integer(authorization.validAfter, 8),
    integer(authorization.validBefore, 8),
    resource,
    Buffer.from(authorization.publicKey, 'hex'),
    Buffer.from(signature, 'base64'),
  ]);
  return `np1.${bytes.toString('base64url')}`;
}
