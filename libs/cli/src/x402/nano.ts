import { randomBytes } from 'node:crypto';
import { getNanoPaymentBalance, simulateNanoPaymentDeposit, type Client } from '@tollbridge/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';
import { readStored, writeStored } from '../profiles';
import type { Terminal } from '../terminal';
import type { Demand, Offer } from './offers';

/** One dollar, which the sandbox deposits. */
const depositAtomic = 1_000_000n;
const depositTimeoutMs = 60_000;

/** Returns the seed of the user's sandbox wallet for nano-payments. */
export function sandboxSeed(env: Terminal['env']): string {
  const stored = readStored(env);
  if (stored.sandboxSeed !== undefined) return stored.sandboxSeed;
  const sandboxSeed = randomBytes(32).toString('hex');
  writeStored(env, { ...stored, sandboxSeed });
  return sandboxSeed;
}

/**
 * Tops up the sandbox wallet when its balance is below the amount. Resolves to its address.
 * @throws CommandError
 */
export async function fundNanoWallet(
  client: Client,
  seed: string,
  amountAtomic: bigint,
  note: (line: string) => void,
): Promise<string> {
  const { payerAddress, signerOfSeed } = await import('./nano-signer');
  const address = payerAddress(signerOfSeed(seed));
  const available = async (): Promise<bigint> =>
    BigInt((await getNanoPaymentBalance(client, { address })).available);
  if ((await available()) >= amountAtomic) return address;
  const amount = amountAtomic > depositAtomic ? amountAtomic : depositAtomic;
  note('The sandbox deposits USDT for the wallet of nano-payments.');
  await simulateNanoPaymentDeposit(client, { address, amount: String(amount) });
  for (const end = performance.now() + depositTimeoutMs; performance.now() < end; await sleep(200))
    if ((await available()) >= amountAtomic) return address;
  throw new CommandError('The deposit of the sandbox has not arrived.');
}

/** Creates the payload of `ton-nanopay`, with the scheme implementation for buyers. */
export async function signNano(offer: Offer, demand: Demand, seed: string): Promise<object> {
  const { signerOfSeed, TonNanopayClient } = await import('./nano-signer');
  const scheme = new TonNanopayClient({ signer: signerOfSeed(seed) });
  const requirements = offer as never;
  await scheme.schemeHooks.onBeforePaymentCreation({
    paymentRequired: demand.resource ? { resource: { url: demand.resource.url } } : {},
    selectedRequirements: requirements,
  });
  return (await scheme.createPaymentPayload(2, requirements)).payload;
}
