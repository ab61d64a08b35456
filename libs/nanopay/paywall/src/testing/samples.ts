import { randomBytes } from 'node:crypto';
import {
  base64Json,
  mainnet,
  usdt,
  type Deployment,
  type PaymentRequired,
} from '@tollbridge/nanopay-protocol';
import { payableOf } from '../payable';
import { signPayment, type SignedPayload } from '../payer';
import { payerAddress, signerOfSeed } from '../payment-signer';
import { Paywall, type PaywallOptions } from '../paywall';
import { MemoryEnclave } from './memory-enclave';

export const deployment: Deployment = {
  network: mainnet,
  verifyingContract: `0:${'11'.repeat(32)}`,
  asset: usdt,
  teeEndpoint: 'https://pay.example.com',
};
export const seller = `0:${'22'.repeat(32)}`;
export const baseUrl = 'https://api.example.com';
export const buyer = signerOfSeed(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)));
export const buyerAddress = payerAddress(buyer);

/** A ledger in memory with one dollar for the buyer, and a paywall that charges there. */
export function sampleHarness(options: Partial<PaywallOptions> = {}): {
  ledger: MemoryEnclave;
  paywall: Paywall;
} {
  const ledger = new MemoryEnclave({ deployment });
  ledger.deposit(buyerAddress, 1_000_000n);
  const paywall = new Paywall({ baseUrl, to: seller, deployment, transport: ledger, ...options });
  return { ledger, paywall };
}

export const readHeader = <T>(value: string | undefined | null): T =>
  JSON.parse(Buffer.from(value ?? '', 'base64').toString('utf8')) as T;

export interface HeaderChanges {
  method?: string;
  body?: Uint8Array;
  nonce?: Buffer;
  nowMs?: number;
  offer?: number;
  identifier?: string;
  /** Flags of the payment. By default it is bound to its resource. */
  flags?: number;
  /** Changes to the terms before the signature. */
  terms?: Partial<ReturnType<typeof payableOf>>;
  /** Changes to the authorization after the signature. */
  authorization?: Partial<SignedPayload['authorization']>;
  document?: Record<string, unknown>;
}

/** The header `Payment-Signature` of an x402 client for a `PAYMENT-REQUIRED` header. */
export async function headerFor(required: string, changes: HeaderChanges = {}): Promise<string> {
  const document = readHeader<PaymentRequired>(required);
  const accepted = document.accepts[changes.offer ?? 0]!;
  const { payload } = await signPayment(
    buyer,
    { ...payableOf({ ...accepted, extra: { ...accepted.extra } }), ...changes.terms },
    { method: changes.method ?? 'GET', url: document.resource.url, body: changes.body },
    {
      nonce: changes.nonce ?? randomBytes(32),
      nowMs: changes.nowMs ?? Date.now(),
      ...(changes.flags === undefined ? {} : { flags: changes.flags }),
    },
  );
  Object.assign(payload.authorization, changes.authorization);
  const extensions =
    changes.identifier === undefined
      ? document.extensions
      : { 'payment-identifier': { info: { required: false, id: changes.identifier } } };
  const { resource } = document;
  return base64Json({ x402Version: 2, accepted, payload, resource, extensions, ...changes.document });
}
