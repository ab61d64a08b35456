import { Rejected } from '../rejection';

/** A quote has five kilobytes, four of them certificates. The rest of this limit allows for padding. */
export const maxQuoteBytes: number = 16 * 1024;

/** Offsets and lengths of a quote of version 4 over a TDX report of version 1.0. */
export const quoteLayout = {
  version: 0,
  keyType: 2,
  teeType: 4,
  headerLength: 48,
  tcbSvn: 48,
  seamSigner: 112,
  seamAttributes: 160,
  tdAttributes: 168,
  mrtd: 184,
  rtmr0: 376,
  rtmr1: 424,
  rtmr2: 472,
  rtmr3: 520,
  reportData: 568,
  signedLength: 632,
} as const;

const registerLength = 48;
const p256Length = 64;
const qeReportLength = 384;
const teeTypeTdx = 0x81;
const keyTypeP256 = 2;
const certifiedByReport = 6;
const certificateChain = 5;

/** The report of a quote about its virtual machine. Untrusted until the signatures are verified. */
export interface TdReport {
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
  rtmr3: string;
  /** 64 bytes chosen by the machine. */
  reportData: Buffer;
  /** Security versions of the platform's components; the versions of its TDX module come first. */
  tcbSvn: Buffer;
  seamSigner: string;
  seamAttributes: Buffer;
  tdAttributes: Buffer;
}

export interface TdxQuote {
  report: TdReport;
  signed: Buffer;
  signature: Buffer;
  attestationKey: Buffer;
  qeReport: Buffer;
  qeReportSignature: Buffer;
  qeAuthData: Buffer;
  /** The platform's certificates in PEM format. */
  certificates: string;
}

export function readTdxQuote(quote: Buffer): TdxQuote {
  if (quote.length > maxQuoteBytes) throw new Rejected('quote_malformed', 'the quote is too long');
  try {
    return readQuote(quote);
  } catch (error) {
    if (error instanceof Rejected) throw error;
    throw new Rejected('quote_malformed', 'the quote ends too early');
  }
}

function readQuote(quote: Buffer): TdxQuote {
  const at = quoteLayout;
  const isKnown =
    quote.readUInt16LE(at.version) === 4 &&
    quote.readUInt16LE(at.keyType) === keyTypeP256 &&
    quote.readUInt32LE(at.teeType) === teeTypeTdx;
  if (!isKnown) throw new Rejected('quote_unsupported', 'not a TDX quote of version 4 with P-256');
  const all = new Bytes(quote, at.signedLength);
  const parts = new Bytes(all.take(all.uint32()));
  if (!all.rest().every((byte) => byte === 0)) malformed('there are bytes after the quote');
  const [signature, attestationKey] = [parts.take(p256Length), parts.take(p256Length)];
  if (parts.uint16() !== certifiedByReport) malformed('the certification of the key has an unsupported type');
  const certification = new Bytes(parts.take(parts.uint32()));
  const [qeReport, qeReportSignature] = [certification.take(qeReportLength), certification.take(p256Length)];
  const qeAuthData = certification.take(certification.uint16());
  if (certification.uint16() !== certificateChain)
    malformed('the quote contains no certificate chain of the platform');
  const certificates = certification.take(certification.uint32()).toString('latin1');
  if (parts.rest().length > 0 || certification.rest().length > 0)
    malformed('the lengths of its parts do not add up');
  return {
    report: readReport(quote),
    signed: quote.subarray(0, at.signedLength),
    signature,
    attestationKey,
    qeReport,
    qeReportSignature,
    qeAuthData,
    certificates,
  };
}

function readReport(quote: Buffer): TdReport {
  const at = quoteLayout;
  const bytes = (offset: number, length: number): Buffer => quote.subarray(offset, offset + length);
  const register = (offset: number): string => quote.toString('hex', offset, offset + registerLength);
  return {
    mrtd: register(at.mrtd),
    rtmr0: register(at.rtmr0),
    rtmr1: register(at.rtmr1),
    rtmr2: register(at.rtmr2),
    rtmr3: register(at.rtmr3),
    reportData: bytes(at.reportData, 64),
    tcbSvn: bytes(at.tcbSvn, 16),
    seamSigner: register(at.seamSigner),
    seamAttributes: bytes(at.seamAttributes, 8),
    tdAttributes: bytes(at.tdAttributes, 8),
  };
}

function malformed(message: string): never {
  throw new Rejected('quote_malformed', message);
}

/** Reads fields one after the other. Throws when a field exceeds the remaining bytes. */
class Bytes {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new RangeError('too short');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  uint16(): number {
    return this.take(2).readUInt16LE();
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }
}
