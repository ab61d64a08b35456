import type { SpendView } from '@tollbridge/contracts';
import { usdOf } from './usd-micros';
import type { Spend } from './spend';

export function spendView(spend: Spend): SpendView {
  const { reference, kind, description, status, valueMicros, month, isLate, reservedAtMs, endedAtMs } = spend;
  return {
    reference,
    kind,
    description,
    status,
    month,
    valueUsd: valueMicros === null ? null : usdOf(valueMicros),
    late: isLate,
    reservedAt: new Date(reservedAtMs).toISOString(),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
  };
}
