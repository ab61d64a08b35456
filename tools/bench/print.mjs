import { waitingIn } from './backlog.mjs';

export function printResult(result) {
  const { rows, sustained, figures, targets, memory } = result;
  if (rows.length > 0) printRows(result);
  if (figures.length > 0) printFigures(figures);
  if (sustained.length > 0) printSustained(sustained);
  printMemory(memory);
  printTargets(targets);
}

const print = (line = '') => process.stdout.write(`${line}\n`);

function printRows({ rows, rounds, seconds }) {
  print(`\nMedians of ${rounds} rounds of ${seconds} s each, all rows in turns; p50 and p99 in ms.\n`);
  print(line(['row', 'in flight', '/s', 'p50', 'p99', 'ratio']));
  for (const { row, inFlight, rate, p50, p99, ratios } of rows)
    print(line([row, inFlight, Math.round(rate), p50.toFixed(2), p99.toFixed(2), ratioTexts(ratios)]));
  const tables = new Map(rows.filter(({ table }) => table).map(({ row, table }) => [row, table]));
  const compared = rows.filter(({ peerRatio }) => typeof peerRatio === 'number');
  if (compared.length > 0)
    print('\nTimes as fast as the same in plain Nest (p50 at 1 in flight, else the rate):\n');
  for (const { row, inFlight, peerRatio } of compared)
    print(line([row, inFlight, peerRatio.toFixed(2), '', '', '']));
  for (const [row, table] of tables) print(`${row}: table of ${table}`);
}

function printFigures(figures) {
  print('\nMeasured once, before the load:\n');
  for (const { name, unit, value } of figures) print(line([name, '', value.toFixed(2), unit, '', '']));
}

function printSustained(sustained) {
  print('\nSustained, with the limit before and after; first and last minute, or fifth of a shorter run.\n');
  for (const row of sustained) {
    const { first, last, seconds, inFlight, failures } = row;
    print(`${row.row}, ${inFlight} in flight, ${seconds} s`);
    print(
      line([
        '  whole',
        '',
        Math.round(row.rate),
        row.p50.toFixed(2),
        row.p99.toFixed(2),
        ratioTexts(row.ratios),
      ]),
    );
    for (const [name, part] of [
      ['  first', first],
      ['  last', last],
    ])
      print(line([name, '', Math.round(part.rate), part.p50.toFixed(2), part.p99.toFixed(2), '']));
    print(
      `  last / first ${row.lastToFirst.toFixed(2)}; ${failures} failures; ${row.deadLetters} dead letters`,
    );
    print(`  backlog at the end: ${backlogText(row.backlog)}; ${caughtUpText(row)}`);
  }
}

function caughtUpText({ caughtUpSeconds, backlogLeft }) {
  if (caughtUpSeconds !== null) return `caught up after ${caughtUpSeconds.toFixed(1)} s`;
  return `not caught up after a minute: ${backlogText(backlogLeft)}`;
}

function backlogText(backlog) {
  const waiting = Object.entries(backlog).filter(([, count]) => count > 0);
  const parts = waiting.map(([name, count]) => `${name} ${count}`);
  return waitingIn(backlog) === 0 ? 'none' : parts.join(', ');
}

const ratioTexts = (ratios) => ratios.map(({ of, ratio }) => `${ratio.toFixed(2)} of ${of}`).join(', ');

function printMemory(memory) {
  print('\nResident memory in MB: idle after the start, and 10 s after the load.\n');
  for (const { process: name, idleMb, afterMb } of memory) print(line([name, '', idleMb, afterMb, '', '']));
}

const signs = { aim: '✔ aim', must: '✔ must', missed: '✘ missed', 'not measured': '- not measured' };

function printTargets(targets) {
  print('\nTargets:\n');
  print(targetLine(['', 'must', 'aim', 'measured', '']));
  for (const { name, must, aim, isMoreBetter, measured, verdict } of targets) {
    const sign = isMoreBetter ? '≥' : '≤';
    const value = verdict === 'not measured' ? '' : rounded(measured);
    print(targetLine([name, `${sign} ${must}`, `${sign} ${aim}`, value, signs[verdict]]));
  }
}

const rounded = (value) => (value === Infinity ? 'never' : String(Number(value.toPrecision(3))));

const line = columns([34, 11, 9, 9, 9, 60], (column) => column > 0 && column < 5);
const targetLine = columns([60, 9, 9, 10, 16], (column) => column > 0 && column < 4);

/** @returns a function that aligns cells in columns, and cells with `isNumber` to the right */
function columns(widths, isNumber) {
  return (cells) =>
    cells
      .map((cell, at) =>
        isNumber(at) ? `${String(cell).padStart(widths[at] - 1)} ` : String(cell).padEnd(widths[at]),
      )
      .join('')
      .trimEnd();
}
