import type { Rejection } from './settlement-rail';

const codeForm = /^[a-z0-9_]{1,100}$/;

/** A reason of an official package, bounded: it goes to clients. */
export function toRejection(reason: string | undefined, message: string | undefined): Rejection {
  const code = reason !== undefined && codeForm.test(reason) ? reason : 'invalid_payload';
  return { reason: code, ...(message !== undefined && { message: message.slice(0, 300) }) };
}
