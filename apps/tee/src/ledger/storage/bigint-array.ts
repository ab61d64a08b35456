const headLength = 20;
const lengthLength = 4;
const width = lengthLength + 8;
// The type id of bigint in PostgreSQL.
const bigintOid = 20;

/** A `bigint[]` in PostgreSQL's binary format, which needs no conversion to text (row `tollbridge: paid`). */
export class BigintArray {
  readonly bytes: Buffer;
  private at = headLength;

  /** @param length number of values to add */
  constructor(length: number) {
    this.bytes = Buffer.alloc(headLength + length * width);
    // One dimension without nulls, with indexes from 1. An empty array has no dimension.
    this.bytes.writeInt32BE(length === 0 ? 0 : 1, 0);
    this.bytes.writeInt32BE(bigintOid, 8);
    this.bytes.writeInt32BE(length, 12);
    this.bytes.writeInt32BE(1, 16);
    if (length === 0) this.bytes = this.bytes.subarray(0, 12);
  }

  add(value: bigint): void {
    this.bytes.writeInt32BE(8, this.at);
    this.bytes.writeBigInt64BE(value, this.at + lengthLength);
    this.at += width;
  }

  /** An integer. */
  addNumber(value: number): void {
    this.bytes.writeInt32BE(8, this.at);
    this.bytes.writeInt32BE(Math.floor(value / 2 ** 32), this.at + lengthLength);
    this.bytes.writeUInt32BE(value >>> 0, this.at + lengthLength + 4);
    this.at += width;
  }
}
