const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const length =
    content.length < 0x80
      ? Buffer.of(content.length)
      : Buffer.of(0x82, content.length >> 8, content.length & 0xff);
  return Buffer.concat([Buffer.of(tag), length, content]);
};

/** Encodes the DER values of certificates. */
export const write = {
  sequence: (...items: Buffer[]): Buffer => der(0x30, ...items),
  set: (...items: Buffer[]): Buffer => der(0x31, ...items),
  octets: (content: Buffer): Buffer => der(0x04, content),
  bits: (content: Buffer): Buffer => der(0x03, Buffer.of(0), content),
  text: (content: string): Buffer => der(0x0c, Buffer.from(content)),
  yes: (): Buffer => der(0x01, Buffer.of(0xff)),
  wrapped: (tag: number, ...items: Buffer[]): Buffer => der(tag, ...items),
  integer: (value: number): Buffer => {
    const hex = value.toString(16);
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    return der(0x02, bytes[0]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
  },
  time: (time: Date): Buffer => {
    const digits = time.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
    return der(0x18, Buffer.from(`${digits}Z`));
  },
  objectId: (dotted: string): Buffer => {
    const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
    return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
  },
};

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
