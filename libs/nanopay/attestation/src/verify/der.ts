/** A DER value. */
export interface DerValue {
  tag: number;
  /** The signed bytes, including tag and length. */
  raw: Buffer;
  content: Buffer;
}

export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/** Parses the value at the offset. Throws for invalid DER and for a value beyond the end. */
export function readDer(bytes: Buffer, offset = 0): DerValue {
  const tag = bytes.readUInt8(offset);
  const first = bytes.readUInt8(offset + 1);
  // From 0x80 on, the low bits are the number of length bytes. Certificates and revocation lists need at most three.
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 3 || first === 0x80) throw new RangeError('length of DER out of range');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
  const start = offset + 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('DER ends too early');
  return { tag, raw: bytes.subarray(offset, start + length), content: bytes.subarray(start, start + length) };
}

export function derChildren({ content }: DerValue): DerValue[] {
  const children: DerValue[] = [];
  for (let at = 0; at < content.length;) {
    const child = readDer(content, at);
    children.push(child);
    at += child.raw.length;
  }
  return children;
}

/** Parses UTCTime (two-digit years as X.509 defines them) or GeneralizedTime. Both are in UTC, with seconds. */
export function derTime({ tag, content }: DerValue): Date {
  const digits = content.toString('latin1');
  const isShort = tag === derTags.utcTime;
  const match = (isShort ? /^(\d{2})(\d{10})Z$/ : /^(\d{4})(\d{10})Z$/).exec(digits);
  if (!match || (!isShort && tag !== derTags.generalizedTime)) throw new RangeError('not a time of DER');
  const year = isShort ? Number(match[1]) + (Number(match[1]) < 50 ? 2000 : 1900) : Number(match[1]);
  const [month, day, hour, minute, second] = match[2]!.match(/../g)!.map(Number) as number[];
  return new Date(Date.UTC(year, month! - 1, day, hour, minute, second));
}
