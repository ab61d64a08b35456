import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (body: unknown): Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};

const plainForm = /^[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,190}\.[^\s<>@,;".]{1,63}$/;

/** Parses `a@b.example` or `Name <a@b.example>`; undefined for other text. */
export function readAddress(value: unknown): { name: string; address: string } | undefined {
  if (typeof value !== 'string' || value.length > 400 || /[\r\n]/.test(value)) return undefined;
  const open = value.indexOf('<');
  const isNamed = open >= 0 && value.endsWith('>');
  const address = (isNamed ? value.slice(open + 1, -1) : value).trim();
  if (!plainForm.test(address)) return undefined;
  const name = isNamed ? value.slice(0, open).trim().replaceAll('"', '') : '';
  return { name, address: address.toLowerCase() };
}

/** Parses one or several addresses; undefined when one is invalid. */
export function readAddresses(value: unknown): { name: string; address: string }[] | undefined {
  const read = [value ?? []].flat().map(readAddress);
  return read.every((it) => it !== undefined) ? read : undefined;
}

/** Returns a digest that identifies a request body. */
export const digestOf = (body: unknown): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();
