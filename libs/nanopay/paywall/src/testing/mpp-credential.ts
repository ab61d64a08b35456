import { keccak_256 } from '@noble/hashes/sha3';
import { evmBuyer } from './fake-facilitator';

/** The parameters of a challenge of the scheme `Payment`. */
export type Fields = Record<string, string>;

/** The challenges in a header `WWW-Authenticate`. */
export const challengesIn = (header: string): Fields[] =>
  [...header.matchAll(/Payment ((?:\w+="[^"]*"(?:, (?=\w+="))?)+)/g)].map(([, fields]) =>
    Object.fromEntries([...fields!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );

export const requestIn = (challenge: Fields) =>
  JSON.parse(Buffer.from(challenge.request!, 'base64url').toString()) as Fields & { methodDetails: object };

const hashOf = ({ id, realm }: Fields) =>
  `0x${Buffer.from(keccak_256(Buffer.from(`${id}${realm}`))).toString('hex')}`;

/** The `Authorization` header of a client of the draft, with an invalid signature. */
export function credentialFor(challenge: Fields, changes: object = {}): string {
  const { amount, recipient } = requestIn(challenge);
  const payload = {
    type: 'authorization',
    from: evmBuyer,
    to: recipient,
    value: amount,
    validAfter: '0',
    validBefore: Math.floor(Date.parse(challenge.expires!) / 1_000).toString(),
    nonce: hashOf(challenge),
    signature: `0x${'11'.repeat(65)}`,
    ...changes,
  };
  return `Payment ${Buffer.from(JSON.stringify({ challenge, payload })).toString('base64url')}`;
}
