import { createHash, sign, type KeyObject } from 'node:crypto';
import { quoteLayout } from '../verify/quote-v4';

/** The report of a simulated machine; registers are 96 hexadecimal digits. */
export interface MadeReport {
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
  rtmr3: string;
  reportData: Buffer;
  tdAttributes: Buffer;
  tcbSvn: Buffer;
  /** Zeros by default. */
  seamSigner?: string;
  seamAttributes?: string;
}

export interface QuoteKeys {
  /** P-256 key of the quoting enclave. */
  attestationKey: { privateKey: KeyObject; publicKey: KeyObject };
  /** P-256 key of the platform. */
  platformKey: KeyObject;
  /** Content of the certificates of the platform. */
  certificates: string;
  qeReport: Buffer;
}

/** Encodes a quote of version 4 in the layout of the hardware, and signs it by the given keys. */
export function makeQuote(report: MadeReport, keys: QuoteKeys): Buffer {
  const signed = signedPart(report);
  const key = pointOf(keys.attestationKey.publicKey);
  const authData = Buffer.alloc(32, 7);
  const qeReport = Buffer.from(keys.qeReport);
  createHash('sha256').update(key).update(authData).digest().copy(qeReport, 320);
  const certificates = Buffer.from(keys.certificates);
  const certification = Buffer.concat([
    qeReport,
    p256Signature(qeReport, keys.platformKey),
    uint16(authData.length),
    authData,
    uint16(5),
    uint32(certificates.length),
    certificates,
  ]);
  const parts = Buffer.concat([
    p256Signature(signed, keys.attestationKey.privateKey),
    key,
    uint16(6),
    uint32(certification.length),
    certification,
  ]);
  return Buffer.concat([signed, uint32(parts.length), parts]);
}

function signedPart(report: MadeReport): Buffer {
  const at = quoteLayout;
  const bytes = Buffer.alloc(at.signedLength);
  bytes.writeUInt16LE(4, at.version);
  bytes.writeUInt16LE(2, at.keyType);
  bytes.writeUInt32LE(0x81, at.teeType);
  report.tcbSvn.copy(bytes, at.tcbSvn);
  bytes.write(report.seamSigner ?? '', at.seamSigner, 'hex');
  bytes.write(report.seamAttributes ?? '', at.seamAttributes, 'hex');
  report.tdAttributes.copy(bytes, at.tdAttributes);
  for (const name of ['mrtd', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'] as const)
    bytes.write(report[name], at[name], 'hex');
  report.reportData.copy(bytes, at.reportData);
  return bytes;
}

export function pointOf(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
}

export const p256Signature = (message: Buffer, key: KeyObject): Buffer =>
  sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
