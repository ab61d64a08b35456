import { Rejected, type AttestationRejection } from '../rejection';

const smallHex = /^(?:[0-9a-f]{2})*$/;

/** Validates untrusted values. The error for a missing, unknown or oversized field contains its name. */
export class StrictFields {
  constructor(private readonly reason: AttestationRejection) {}

  reject(name: string, fault: string): never {
    throw new Rejected(this.reason, `${name} ${fault}`);
  }

  /** Validates an object that has all required keys and no unknown key. */
  object(
    value: unknown,
    name: string,
    required: readonly string[],
    optional: readonly string[] = [],
  ): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.reject(name, 'is not an object');
    const missing = required.find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) this.reject(name, `has no ${missing}`);
    const isKnown = (key: string): boolean => required.includes(key) || optional.includes(key);
    if (!Object.keys(value).every(isKnown)) this.reject(name, 'has an unknown field');
    return value as Record<string, unknown>;
  }

  text(value: unknown, name: string, maxLength: number): string {
    if (typeof value !== 'string') return this.reject(name, 'is not a string');
    return value.length <= maxLength ? value : this.reject(name, 'is too long');
  }

  /** Validates lower-case hexadecimal digits of exactly, or at most, this number of bytes. */
  hex(value: unknown, name: string, bytes: { exactly: number } | { most: number }): string {
    const most = 'exactly' in bytes ? bytes.exactly : bytes.most;
    const text = this.text(value, name, most * 2);
    if (!smallHex.test(text)) this.reject(name, 'has other characters than lower-case hexadecimal digits');
    if ('exactly' in bytes && text.length !== most * 2) this.reject(name, 'has the wrong length');
    return text;
  }

  choice<T>(value: unknown, name: string, choices: readonly T[]): T {
    return choices.includes(value as T)
      ? (value as T)
      : this.reject(name, 'is not one of the allowed values');
  }

  list<T>(value: unknown, name: string, maxCount: number, read: (item: unknown, name: string) => T): T[] {
    if (!Array.isArray(value)) return this.reject(name, 'is not an array');
    if (value.length > maxCount) this.reject(name, 'has too many items');
    return value.map((item, index) => read(item, `${name}[${index}]`));
  }
}
