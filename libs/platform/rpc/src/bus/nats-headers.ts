import { MsgHdrsImpl, type Match } from 'nats';

const { append, set, get, has, encode } = MsgHdrsImpl.prototype;
/** As the library is published. */
export const publishedHeaders = { append, set, get, has, encode };

// Names and values that the library takes as they are.
const plainName = /^[!-9;-~]+$/;
const hasLineEnd = /[\r\n]/;
const isPlain = (name: string, value: string): boolean => plainName.test(name) && !hasLineEnd.test(value);

/**
 * The headers of `nats` with the same results in less time. The library goes through all names for each access, and
 * spells each name in another way to validate it. Every call of the bus writes and reads five headers (bench rows "read
 * an order" and "create an order"; `node tools/bench/bus-headers.mjs`).
 */
Object.assign(MsgHdrsImpl.prototype, {
  append(this: MsgHdrsImpl, name: string, value: string, match?: Match): void {
    if (match || !isPlain(name, value)) return append.call(this, name, value, match);
    const values = this.headers.get(name);
    if (values) values.push(value.trim());
    else this.headers.set(name, [value.trim()]);
  },
  set(this: MsgHdrsImpl, name: string, value: string, match?: Match): void {
    if (match || !isPlain(name, value)) return set.call(this, name, value, match);
    this.headers.delete(name);
    this.headers.set(name, [value.trim()]);
  },
  get(this: MsgHdrsImpl, name: string, match?: Match): string {
    return match ? get.call(this, name, match) : (this.headers.get(name)?.[0] ?? '');
  },
  has(this: MsgHdrsImpl, name: string, match?: Match): boolean {
    return match ? has.call(this, name, match) : this.headers.has(name);
  },
  encode(this: MsgHdrsImpl): Uint8Array {
    return Buffer.from(this.toString());
  },
});
