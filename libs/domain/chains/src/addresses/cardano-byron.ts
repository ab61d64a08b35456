import { decodeBase58 } from './codec/base58';
import { crc32 } from './codec/crc';
import { type AddressResult, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

// CBOR major types in a Byron address.
const unsigned = 0;
const byteStrings = 2;
const array = 4;
const map = 5;
const tag = 6;

// CBOR tag for a byte string that contains encoded CBOR.
const tagEncodedCbor = 24;

// Present only on test networks. The attribute contains the magic number of the network.
const attributeNetworkMagic = 2;

const rootLength = 28;

/**
 * A Byron address is the base58 encoding of CBOR [24(payload), CRC-32 of payload]. The payload is [28-byte root,
 * attributes by number, type].
 */
export function readByronAddress(text: string, isTestnet: boolean): AddressResult {
  const bytes = decodeBase58(text);
  const envelope = bytes && readEnvelope(new CborReader(bytes));
  if (!envelope || crc32(envelope.payload) !== envelope.checksum) {
    return reject(wrongChecksum);
  }
  const content = readPayload(new CborReader(envelope.payload));
  if (!content) {
    return reject('this is not a Cardano address: give the one that starts with addr1');
  }
  if (content.hasNetworkMagic !== isTestnet) {
    return reject(
      isTestnet
        ? 'this address is for the Cardano main network; the order is on a test network'
        : 'this address is for a Cardano test network; the order is on the main network',
    );
  }
  return isAllZero(content.root) ? reject(unownedAddress) : accept(text);
}

function readEnvelope(reader: CborReader): { payload: Uint8Array; checksum: number } | undefined {
  const isEnvelope = reader.head(array) === 2 && reader.head(tag) === tagEncodedCbor;
  const payload = isEnvelope ? reader.bytes() : undefined;
  const checksum = payload && reader.head(unsigned);
  return payload && checksum !== undefined && reader.isAtEnd() ? { payload, checksum } : undefined;
}

function readPayload(reader: CborReader): { root: Uint8Array; hasNetworkMagic: boolean } | undefined {
  const root = reader.head(array) === 3 ? reader.bytes() : undefined;
  const attributeCount = reader.head(map);
  if (root?.length !== rootLength || attributeCount === undefined || attributeCount > 2) {
    return undefined;
  }
  let hasNetworkMagic = false;
  for (let i = 0; i < attributeCount; i++) {
    const attribute = reader.head(unsigned);
    if (attribute === undefined || !reader.bytes()) {
      return undefined;
    }
    hasNetworkMagic ||= attribute === attributeNetworkMagic;
  }
  const type = reader.head(unsigned);
  return type !== undefined && reader.isAtEnd() ? { root, hasNetworkMagic } : undefined;
}

// No library reads the CBOR: cborg is only an ES module, and cbor-x compiles code at run time and includes native
// add-ons.
/** Reads the required subset of CBOR, never past the end. Every method returns undefined if the item is absent. */
class CborReader {
  private position = 0;

  constructor(private readonly source: Uint8Array) {}

  /** Returns the number in the head of the next item, if the item has this major type. */
  head(majorType: number): number | undefined {
    const first = this.source[this.position];
    if (first === undefined || first >> 5 !== majorType) {
      return undefined;
    }
    const short = first & 0x1f;
    if (short < 24) {
      this.position += 1;
      return short;
    }
    // 24, 25 and 26 are followed by one, two and four bytes. Longer numbers do not occur.
    const length = short <= 26 ? 1 << (short - 24) : 0;
    const digits = this.source.subarray(this.position + 1, this.position + 1 + length);
    if (length === 0 || digits.length !== length) {
      return undefined;
    }
    this.position += 1 + length;
    return digits.reduce((value, digit) => value * 256 + digit, 0);
  }

  bytes(): Uint8Array | undefined {
    const length = this.head(byteStrings);
    if (length === undefined || this.position + length > this.source.length) {
      return undefined;
    }
    this.position += length;
    return this.source.subarray(this.position - length, this.position);
  }

  isAtEnd(): boolean {
    return this.position === this.source.length;
  }
}
