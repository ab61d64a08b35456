import { hasOfficialMessage } from './replies';
import type { Rejection } from './settlement-rail';

const codeForm = /^[a-z0-9_]{1,100}$/;

const maxLength = 300;

/**
 * A reason of an official package with limited length, because it is sent to clients. The packages have messages only
 * for some reasons, and settle lacks some messages of verify. So the usual reasons have messages here.
 */
export function toRejection(reason: string | undefined, message: string | undefined): Rejection {
  const code = reason !== undefined && codeForm.test(reason) ? reason : 'invalid_payload';
  if (message === undefined || hasOfficialMessage(code)) return { reason: code };
  return { reason: code, message: message.slice(0, maxLength) };
}
