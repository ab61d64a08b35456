import { readAccount, readNetwork } from '@tollbridge/nanopay-protocol';
import { readTdxCollateral } from '../verify/collateral';
import { readRuntimeEvents } from '../verify/event-log';
import { maxQuoteBytes } from '../verify/quote-v4';
import {
  attestationModes,
  maxDocumentBytes,
  maxNonceBytes,
  type AttestationDocument,
  type Measurements,
} from './document';
import { StrictFields } from './strict-fields';

const fields = new StrictFields('document_malformed');

const required = [
  'version',
  'mode',
  'attested',
  'isDevelopment',
  'teePublicKey',
  'keyEpoch',
  'network',
  'verifyingContract',
  'nonce',
  'reportData',
  'quote',
  'eventLog',
  'measurements',
  'appId',
  'composeHash',
  'ledger',
  'issuedAt',
  'expiresAt',
  'signature',
];
const registers = ['mrtd', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'] as const;
const base64Of64Bytes = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const integer = /^(?:0|[1-9][0-9]{0,19})$/;

/**
 * Parses an untrusted document: text, bytes or parsed JSON. Returns a copy of the known fields and rejects any other
 * field. It does not verify the signature or the values.
 */
export function readAttestation(input: unknown): AttestationDocument {
  const all = fields.object(parsed(input), 'document', required, ['collateral', 'warning']);
  const nullable = <T>(value: unknown, read: (value: unknown) => T): T | null =>
    value === null ? null : read(value);
  return {
    version: fields.choice(all['version'], 'version', [1] as const),
    mode: fields.choice(all['mode'], 'mode', attestationModes),
    attested: fields.choice(all['attested'], 'attested', [true, false]),
    isDevelopment: fields.choice(all['isDevelopment'], 'isDevelopment', [true, false]),
    teePublicKey: fields.hex(all['teePublicKey'], 'teePublicKey', { exactly: 32 }),
    keyEpoch: readKeyEpoch(all['keyEpoch']),
    network: readCaip2(all['network']),
    verifyingContract: readContract(all['verifyingContract']),
    nonce: nullable(all['nonce'], (nonce) => fields.hex(nonce, 'nonce', { most: maxNonceBytes })),
    reportData: fields.hex(all['reportData'], 'reportData', { exactly: 64 }),
    quote: nullable(all['quote'], (quote) => fields.hex(quote, 'quote', { most: maxQuoteBytes })),
    eventLog: readRuntimeEvents(all['eventLog'], fields),
    measurements: nullable(all['measurements'], readMeasurements),
    appId: nullable(all['appId'], (appId) => fields.hex(appId, 'appId', { most: 64 })),
    composeHash: nullable(all['composeHash'], (hash) => fields.hex(hash, 'composeHash', { exactly: 32 })),
    ...(all['collateral'] === undefined ? {} : { collateral: readTdxCollateral(all['collateral'], fields) }),
    ledger: readLedger(all['ledger']),
    issuedAt: readTime(all['issuedAt'], 'issuedAt'),
    expiresAt: readTime(all['expiresAt'], 'expiresAt'),
    signature: readSignature(all['signature']),
    ...(all['warning'] === undefined ? {} : { warning: fields.text(all['warning'], 'warning', 1_000) }),
  };
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) return input;
  if (input.length > maxDocumentBytes) fields.reject('document', 'is too long');
  const bytes = Buffer.from(input as string);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return fields.reject('document', 'is not JSON');
  }
}

function readKeyEpoch(value: unknown): number {
  const isEpoch = Number.isSafeInteger(value) && (value as number) >= 0;
  return isEpoch ? (value as number) : fields.reject('keyEpoch', 'is not a whole number');
}

function readCaip2(value: unknown): string {
  const text = fields.text(value, 'network', 64);
  return readNetwork(text)?.caip2 === text ? text : fields.reject('network', 'is not a CAIP-2 name of TON');
}

function readContract(value: unknown): string {
  const text = fields.text(value, 'verifyingContract', 67);
  return readAccount(text) === text ? text : fields.reject('verifyingContract', 'is not a raw account');
}

function readMeasurements(value: unknown): Measurements {
  const all = fields.object(value, 'measurements', registers);
  const entries = registers.map((name) => [name, fields.hex(all[name], name, { exactly: 48 })]);
  return Object.fromEntries(entries) as unknown as Measurements;
}

function readLedger(value: unknown): AttestationDocument['ledger'] {
  const { seq, head } = fields.object(value, 'ledger', ['seq', 'head']);
  const text = fields.text(seq, 'ledger.seq', 20);
  if (!integer.test(text)) fields.reject('ledger.seq', 'is not a whole number');
  return { seq: text, head: fields.hex(head, 'ledger.head', { exactly: 32 }) };
}

function readTime(value: unknown, name: string): string {
  const text = fields.text(value, name, 24);
  const time = new Date(text);
  const isWritten = !Number.isNaN(time.getTime()) && time.toISOString() === text;
  return isWritten ? text : fields.reject(name, 'is not a time such as 2026-01-31T12:00:00.000Z');
}

function readSignature(value: unknown): string {
  const text = fields.text(value, 'signature', 88);
  return base64Of64Bytes.test(text) ? text : fields.reject('signature', 'is not base64 of 64 bytes');
}
