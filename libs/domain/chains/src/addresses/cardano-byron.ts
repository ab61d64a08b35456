import { decodeBase58 } from './codec/base58';
import { crc32 } from './codec/crc';
import { type AddressResult, UNOWNED_ADDRESS, WRONG_CHECKSUM, accept, isAllZero, reject } from './format';

// CBOR major types that occur in a Byron address.
const UNSIGNED = 0;
const BYTES = 2;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;

// "What follows is CBOR inside a byte string."
const TAG_ENCODED_CBOR = 24;

// Present on test networks only: there the attribute holds the network's magic number.
const ATTRIBUTE_NETWORK_MAGIC = 2;

const ROOT_LENGTH = 28;

/**
 * A Byron address is the base58 of CBOR [24(payload), CRC-32 of payload], the payload being
 * [28-byte root, attributes by number, type].
 */
export function readByronAddress(text: string, isTestnet: boolean): AddressResult {
  const bytes = decodeBase58(text);
  const envelope = bytes && readEnvelope(new CborReader(bytes));
  if (!envelope || crc32(envelope.payload) !== envelope.checksum) {
    return reject(WRONG_CHECKSUM);
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
  return isAllZero(content.root) ? reject(UNOWNED_ADDRESS) : accept(text);
}

function readEnvelope(reader: CborReader): { payload: Uint8Array; checksum: number } | undefined {
  const isEnvelope = reader.head(ARRAY) === 2 && reader.head(TAG) === TAG_ENCODED_CBOR;
  const payload = isEnvelope ? reader.bytes() : undefined;
  const checksum = payload && reader.head(UNSIGNED);
  return payload && checksum !== undefined && reader.isAtEnd() ? { payload, checksum } : undefined;
}

function readPayload(reader: CborReader): { root: Uint8Array; hasNetworkMagic: boolean } | undefined {
  const root = reader.head(ARRAY) === 3 ? reader.bytes() : undefined;
  const attributeCount = reader.head(MAP);
  if (root?.length !== ROOT_LENGTH || attributeCount === undefined || attributeCount > 2) {
    return undefined;
  }
  let hasNetworkMagic = false;
  for (let i = 0; i < attributeCount; i++) {
    const attribute = reader.head(UNSIGNED);
    if (attribute === undefined || !reader.bytes()) {
      return undefined;
    }
    hasNetworkMagic ||= attribute === ATTRIBUTE_NETWORK_MAGIC;
  }
  const type = reader.head(UNSIGNED);
  return type !== undefined && reader.isAtEnd() ? { root, hasNetworkMagic } : undefined;
}

// Own code: cborg is an ES module only, and cbor-x compiles itself at run time and brings native add-ons.
/** Reads just enough CBOR, never past the end: every method answers undefined for what is not there. */
class CborReader {
  private position = 0;

  constructor(private readonly source: Uint8Array) {}

  /** The number in the head of the next item, if that item has this major type. */
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
    // 24, 25 and 26 announce one, two and four bytes; longer numbers do not occur.
    const length = short <= 26 ? 1 << (short - 24) : 0;
    const digits = this.source.subarray(this.position + 1, this.position + 1 + length);
    if (length === 0 || digits.length !== length) {
      return undefined;
    }
    this.position += 1 + length;
    return digits.reduce((value, digit) => value * 256 + digit, 0);
  }

  bytes(): Uint8Array | undefined {
    const length = this.head(BYTES);
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
