import type { OrderChanged, OrderEventType } from '@tollbridge/contracts';
import { randomUUID } from 'node:crypto';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import type { PublishedOrder } from './published-order';

export type Random = () => number;

/** Returns pseudorandom numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const oneOf = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)]!;

export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const mixed = [...values];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

/** A UUID of version 7 for a time, because ids of orders contain their creation time. */
function idAt(random: Random, timeMs: number): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
}

const assets = [
  ['eip155:8453', 'USDC'],
  ['eip155:8453', 'ETH'],
  ['eip155:56', 'USDC'],
  ['eip155:42161', 'USDT'],
] as const;

const next: Record<OrderEventType, readonly OrderEventType[]> = {
  'order-created': ['order-settling', 'order-settling', 'order-settling', 'order-expired'],
  'order-settling': ['order-settled', 'order-settled', 'order-settled', 'order-failed', 'order-reopened'],
  'order-reopened': ['order-settling', 'order-settling', 'order-expired'],
  'order-exception': ['order-reorged'],
  'order-settled': ['order-reorged', 'order-exception'],
  'order-valued': ['order-reorged'],
  'order-refunded': ['order-settling'],
  'order-reorged': ['order-settled', 'order-failed'],
  'order-failed': ['order-settling', 'order-refunded'],
  'order-expired': ['order-settling'],
};

const states: Record<OrderEventType, OrderChanged['status']> = {
  'order-created': 'waiting_payment',
  'order-settling': 'settling',
  'order-settled': 'settled',
  'order-reopened': 'waiting_payment',
  'order-exception': 'settled',
  'order-valued': 'settled',
  'order-refunded': 'failed',
  'order-failed': 'failed',
  'order-expired': 'expired',
  'order-reorged': 'settling',
};

const goesOn: Partial<Record<OrderEventType, number>> = {
  'order-created': 0.95,
  'order-settling': 0.95,
  'order-settled': 0.25,
  'order-reopened': 0.9,
  'order-exception': 0.25,
  'order-valued': 0.25,
  'order-reorged': 0.9,
  'order-refunded': 0.2,
  'order-failed': 0.4,
  'order-expired': 0.2,
};

/** A random prefix of an order's history, oldest event first. */
export function randomHistory(
  random: Random,
  wallet: string,
  options: { fromMs: number; days: number; strangers?: number },
): PublishedOrder[] {
  const createdAtMs = Math.floor(options.fromMs + random() * options.days * 86_400_000);
  const [settle_chain, settle_token] = oneOf(random, assets);
  const amount = 1 + Math.floor(random() * 5_000_000);
  const isCrossing = random() < 0.3;
  let order = anOrderChanged({
    order_id: idAt(random, createdAtMs),
    merchant_address: wallet,
    settle_chain,
    settle_token,
    merchant_amount: String(amount),
    ...(isCrossing && { method: 'CrossChain', pay_blockchain: 'btc', pay_token: 'BTC' }),
    fee_amount: random() < 0.2 ? '0' : String(Math.min(amount, Math.floor(random() * 5_000))),
    created_by: random() < (options.strangers ?? 0.4) ? null : wallet,
    pay_tx: null,
    settle_tx: null,
    settled_amount: null,
    settled_value_usd: null,
    version: 1,
  });
  const published: PublishedOrder[] = [];
  let valueUsd: string | null = null;
  for (let type: OrderEventType = 'order-created', version = 1; ; version++) {
    const isSettled = states[type] === 'settled';
    // A later price and an exception leave the settlement of the order unchanged.
    const isValued = type === 'order-valued';
    const isKept = isValued || type === 'order-exception';
    // A forwarded refund leaves the order unchanged.
    const isForwarded = type === 'order-refunded';
    if (isSettled && valueUsd === null && (isValued || random() < 0.6))
      valueUsd = `${Math.floor(random() * 900)}.${Math.floor(random() * 1e6)}`;
    // A cross-chain delivery may be too small, or may be refunded.
    const isShort = type === 'order-failed' && isCrossing && random() < 0.3;
    const isRefunded = type === 'order-failed' && isCrossing && !isShort && random() < 0.6;
    order = {
      ...order,
      status: states[type],
      version,
      settled_amount: isForwarded ? order.settled_amount : isSettled ? String(amount) : isShort ? '7' : null,
      settled_value_usd: valueUsd,
      settle_tx: isKept ? order.settle_tx : isSettled ? `0x${hash(random)}` : null,
      refunded_amount: isRefunded ? '12345' : (order.refunded_amount ?? null),
      ...(isForwarded && { forwarded_amount: '12345', forwarded_tx: `0x${hash(random)}` }),
      updated_at:
        isKept || isForwarded ? order.updated_at : new Date(createdAtMs + version * 7_000).toISOString(),
    };
    published.push({ id: randomUUID(), type, order });
    const hasNoPrice: boolean = type === 'order-settled' && valueUsd === null && random() < 0.6;
    if (!hasNoPrice && random() > (goesOn[type] ?? 0)) return published;
    type = hasNoPrice ? 'order-valued' : oneOf(random, next[type]);
  }
}

const hash = (random: Random) =>
  Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
