import type { PinDetail } from '@tollbridge/contracts';
import { optionalFields, secretOf } from './reloadly.fields';

/** @param name the field that contains the code, which differs between airtime and bills */
export function readPin(value: unknown, name: 'code' | 'token'): PinDetail | null {
  const fields = optionalFields(value, 'pin');
  const code = secretOf(fields[name], name);
  if (code === null) return null;
  const lines = ['info1', 'info2', 'info3'].flatMap((info) => secretOf(fields[info], info) ?? []);
  return {
    code,
    serial: secretOf(fields['serial'], 'serial'),
    info: lines.length > 0 ? lines.join(' ') : null,
  };
}
