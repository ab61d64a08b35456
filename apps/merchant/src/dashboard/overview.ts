import type { ChainVolume, DailyVolume, OverviewReply, TokenVolume } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { Decimal } from '@tollbridge/money';
import { fiatVolume, type FiatDayRow } from '../rates/fiat-volume';
import type { DayRow, TotalRow } from './dashboard.repository';

export const overviewDays = 30;
const dayMs = 24 * 60 * 60_000;

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** The first day of the period that an overview covers. */
export const firstDayOf = (nowMs: number): string => dayOf(nowMs - (overviewDays - 1) * dayMs);

/** The decimals of a token in the registry; undefined for an unknown token. */
export function decimalsOf(network: string, token: string): number | undefined {
  const chain = findChain(network);
  return chain && findToken(chain, token)?.decimals;
}

/** The overview that is computed from the stored sums. */
export function overviewOf(
  { totals, days }: { totals: readonly TotalRow[]; days: readonly DayRow[] },
  activePaylinks: number,
  nowMs: number,
): OverviewReply {
  const paid = totals.filter(({ completed }) => Number(completed) !== 0);
  const payments = paymentsOf(paid);
  // An expired payment is not a failure: its payer left the checkout.
  const ended = payments + count(totals, 'unsuccessful') - count(totals, 'expired');
  return {
    totalVolumeUsd: volumeOf(paid),
    totalPayments: payments,
    successRate: ended === 0 ? null : Math.round((payments / ended) * 10_000) / 10_000,
    activePaylinks,
    unpricedPayments: count(paid, 'unpriced'),
    confirmedByMerchant: count(paid, 'confirmed'),
    volumeByToken: largestFirst(groupBy(paid, 'token').map(tokenVolume)),
    volumeByChain: largestFirst(groupBy(paid, 'network').map(chainVolume)),
    daily: dailyOf(days, nowMs),
  };
}

/** Adds the values in the merchant's currency. */
export function inCurrency(
  overview: OverviewReply,
  days: readonly FiatDayRow[],
  currency: string,
): OverviewReply {
  const { volume: totalVolume, unpriced: unvaluedPayments } = fiatVolume(days, currency);
  const daily = overview.daily.map((day) => ({
    ...day,
    volume: fiatVolume(
      days.filter((row) => row.day === day.date),
      currency,
    ).volume,
  }));
  return { ...overview, daily, currency, totalVolume, unvaluedPayments };
}

function tokenVolume([token, rows]: [string, TotalRow[]]): TokenVolume {
  return { token, amount: wholeTokens(rows), volumeUsd: volumeOf(rows), payments: paymentsOf(rows) };
}

function chainVolume([network, rows]: [string, TotalRow[]]): ChainVolume {
  return { network, volumeUsd: volumeOf(rows), payments: paymentsOf(rows) };
}

/**
 * The sum of a token over all chains, where its decimals may differ. Null when the decimals on one of the chains are
 * unknown.
 */
function wholeTokens(rows: readonly TotalRow[]): string | null {
  const amounts = rows.map(({ network, token, amount }) => {
    const decimals = decimalsOf(network, token);
    return decimals === undefined ? undefined : wholeTokensOf(amount, decimals);
  });
  return amounts.some((amount) => amount === undefined) ? null : Decimal.sum(amounts as string[]).text;
}

/** The exact amount in whole tokens. Sums may exceed the limit of `formatUnits`. */
export const wholeTokensOf = (amount: string, decimals: number): string =>
  Decimal.fromAtomic(BigInt(amount), decimals).text;

function dailyOf(days: readonly DayRow[], nowMs: number): DailyVolume[] {
  const byDay = new Map(days.map((row) => [row.day, row]));
  return Array.from({ length: overviewDays }, (_, index) => {
    const date = dayOf(nowMs - (overviewDays - 1 - index) * dayMs);
    const row = byDay.get(date);
    return {
      date,
      volumeUsd: Decimal.of(row?.value_usd ?? '0').text,
      payments: Number(row?.completed ?? 0),
    };
  });
}

function groupBy(rows: readonly TotalRow[], key: 'token' | 'network'): [string, TotalRow[]][] {
  const groups = new Map<string, TotalRow[]>();
  for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
  return [...groups];
}

const volumeOf = (rows: readonly TotalRow[]): string =>
  Decimal.sum(rows.map(({ value_usd }) => value_usd)).text;
const count = (
  rows: readonly TotalRow[],
  key: 'completed' | 'unsuccessful' | 'expired' | 'unpriced' | 'confirmed',
): number => rows.reduce((sum, row) => sum + Number(row[key]), 0);
const paymentsOf = (rows: readonly TotalRow[]): number => count(rows, 'completed');

/** Sorts by exact dollar volume, then by the number of payments. */
function largestFirst<T extends { volumeUsd: string; payments: number }>(volumes: T[]): T[] {
  return volumes.sort(
    (one, other) =>
      Decimal.of(other.volumeUsd).compare(Decimal.of(one.volumeUsd)) || other.payments - one.payments,
  );
}
