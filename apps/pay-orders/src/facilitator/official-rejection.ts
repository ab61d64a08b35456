import { hasOfficialMessage } from './replies';
import type { Rejection } from './settlement-rail';

const codeForm = /^[a-z0-9_]{1,100}$/;

const maxLength = 300;

/**
 * A reason of an official package, bounded: it goes to clients. The packages have a message for some reasons only, and
 * for one of verify none at settle: the usual reasons have ours.
 */
export function toRejection(reason: string | undefined, message: string | undefined): Rejection {
  const code = reason !== undefined && codeForm.test(reason) ? reason : 'invalid_payload';
  if (message === undefined || hasOfficialMessage(code)) return { reason: code };
  return { reason: code, message: message.slice(0, maxLength) };
}
