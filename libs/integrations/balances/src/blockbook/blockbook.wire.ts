import { UnreadableReply, readAmount, readFields, readText } from '@tollbridge/http';
import type { Amount } from '../holding';
import { atomicDifference, requireSame } from '../wire-fields';

// https://github.com/trezor/blockbook/blob/master/docs/api.md#get-address

/** `unconfirmedBalance` is a difference. It is negative while coins leave the address. */
export function readAddress(reply: unknown, address: string): Amount {
  const info = readFields(reply, 'address info');
  // Addresses of Bitcoin Cash may be returned with or without their prefix.
  requireSame(withoutPrefix(readText(info['address'], 'address')), withoutPrefix(address), 'address');
  const balance = readAmount(info['balance'], 'balance');
  const { plus, minus } = signed(info['unconfirmedBalance']);
  return { amountAtomic: atomicDifference(balance + plus, minus, 'unconfirmedBalance') };
}

const withoutPrefix = (address: string) => address.replace(/^[a-z]+:/, '');

function signed(value: unknown): { plus: bigint; minus: bigint } {
  const [, sign, digits] = /^(-?)(\d{1,30})$/.exec(readText(value, 'unconfirmedBalance')) ?? [];
  if (digits === undefined) throw new UnreadableReply('unconfirmedBalance is malformed');
  return sign === '-' ? { plus: 0n, minus: BigInt(digits) } : { plus: BigInt(digits), minus: 0n };
}
