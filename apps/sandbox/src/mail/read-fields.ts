import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (body: unknown): Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};

const plainForm = /^[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,190}\.[^\s<>@,;".]{1,63}$/;

/** `a@b.example`, or `Name <a@b.example>`; undefined for what is neither. */
export function readAddress(value: unknown): { name: string; address: string } | undefined {
  if (typeof value !== 'string' || value.length > 400 || /[\r\n]/.test(value)) return undefined;
  const open = value.indexOf('<');
  const isNamed = open >= 0 && value.endsWith('>');
  const address = (isNamed ? value.slice(open + 1, -1) : value).trim();
  if (!plainForm.test(address)) return undefined;
  const name = isNamed ? value.slice(0, open).trim().replaceAll('"', '') : '';
  return { name, address: address.toLowerCase() };
}

/** One address or several; undefined when one of them is none. */
export function readAddresses(value: unknown): { name: string; address: string }[] | undefined {
  const read = [value ?? []].flat().map(readAddress);
  return read.every((it) => it !== undefined) ? read : undefined;
}

/** Tells two bodies apart. */
export const digestOf = (body: unknown): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();
