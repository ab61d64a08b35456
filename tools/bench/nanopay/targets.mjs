// The targets, with their measured values.
import { rowName } from './seller-rows.mjs';
import { ledgerRow } from './ledger-rows.mjs';

const ours = 'tollbridge';

/** @param rows of the result */
export function targetsOf(rows) {
  const find = (row, load) => rows.find((each) => each.row === row && each.load === String(load));
  const paid = find(rowName(ours, 'paid'), 64);
  const paced = find(rowName(ours, 'paid'), '1000/s');
  const unpaid = find(rowName(ours, '402'), 64);
  const open = find(rowName(ours, 'open'), 64);
  const channels = 'tollbridge channels';
  const byChannel = (load) => find(rowName(channels, 'paid'), load);
  const ledger = rows.find(({ row }) => row === ledgerRow);
  return [
    target(
      'paid routes, times official exact, 64 in flight',
      '>= 50',
      paid?.ratios['official exact: paid'],
      1,
    ),
    target(
      'paid routes, times official nanopay, 64 in flight',
      '>= 3',
      paid?.ratios['official nanopay: paid'],
      2,
    ),
    ...[64, 1].map((load) =>
      target(
        `channels, times official nanopay, ${load} in flight`,
        load === 64 ? '>= 10' : '>= 1',
        byChannel(load)?.ratios['official nanopay: paid'],
        2,
      ),
    ),
    target('channels, overhead p50 at 1,000/s, ms', '< 1', byChannel('1000/s')?.overheadP50, 2),
    target('guard overhead p50 at 1,000/s, ms', '< 3', paced?.overheadP50, 2),
    target('guard overhead p99 at 1,000/s, ms', '< 15', paced?.overheadP99, 2),
    target('verified and durable payments/s', '>= 10000', ledger?.rate, 0),
    target(
      '402, share of the open route, 64 in flight',
      '>= 0.8',
      unpaid && open && unpaid.rate / open.rate,
      2,
    ),
  ].filter(({ measured }) => measured !== null);
}

function target(name, wanted, measured, digits) {
  if (measured === undefined || measured === null) return { name, wanted, measured: null, isMet: null };
  const [sign, bound] = wanted.split(' ');
  const isMet = sign === '<' ? measured < Number(bound) : measured >= Number(bound);
  return { name, wanted, measured: Number(measured.toFixed(digits)), isMet };
}
