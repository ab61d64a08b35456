/** What the bench asks of the product: ratios to the limit in the same run, and latencies alone. */
const targets = [
  { row: 'create an order', inFlight: 64, figure: 'ratio', must: 0.25, aim: 0.45 },
  { row: 'read an order', inFlight: 64, figure: 'ratio', must: 0.2, aim: 0.35 },
  { row: 'create an order', inFlight: 1, figure: 'p50', must: 3, aim: 1 },
  { row: 'read an order', inFlight: 1, figure: 'p50', must: 1.5, aim: 0.5 },
  // Of it 100 ms are the provider's, and of the second 50 and 100.
  { row: 'batch-quote, 20 options', inFlight: 1, figure: 'p50', must: 200, aim: 120 },
  { row: 'checkout-options, 10 wallets', inFlight: 1, figure: 'p50', must: 300, aim: 180 },
  { row: 'stream update, 5,000 sockets', inFlight: 1, figure: 'p99', must: 20, aim: 5 },
  { row: 'stream update, via gateway', inFlight: 1, figure: 'p99', must: 20, aim: 5 },
];
/** MB that 5,000 open sockets may add to a process. */
const socketsTarget = { must: 150, aim: 75 };
const memoryTarget = { must: 150, aim: 90 };

export function printResult({ rows, sockets, memory, rounds, seconds }) {
  const print = (line = '') => process.stdout.write(`${line}\n`);
  print(`\nMedians of ${rounds} rounds of ${seconds} s each, all rows in turns; p50 and p99 in ms.\n`);
  print(line(['row', 'in flight', 'req/s', 'p50', 'p99', 'ratio', 'of', 'target']));
  for (const row of rows) {
    const { row: name, inFlight, rate, p50, p99, ratio, of } = row;
    const cells = [
      name,
      inFlight,
      Math.round(rate),
      p50.toFixed(2),
      p99.toFixed(2),
      ratio?.toFixed(2) ?? '',
      of ?? '',
      verdictOf(row),
    ];
    print(line(cells));
  }
  if (sockets) {
    const { sockets: count, growthMb } = sockets;
    const grown = `${Math.round(growthMb)} MB`;
    print(`\n${count} open sockets of the stream took ${grown}: ${judge(growthMb, socketsTarget, false)}`);
  }
  print('\nResident memory in MB, idle after the start and after the load:\n');
  for (const { process: name, idleMb, afterMb } of memory) {
    print(line([name, '', idleMb, afterMb, '', '', '', judge(idleMb, memoryTarget, false)]));
  }
}

function verdictOf(row) {
  return targets
    .filter((target) => target.row === row.row && target.inFlight === row.inFlight)
    .map((target) => `${target.figure} ${judge(row[target.figure], target, target.figure === 'ratio')}`)
    .join(', ');
}

function judge(value, { must, aim }, isMoreBetter) {
  const reaches = (bound) => (isMoreBetter ? value >= bound : value <= bound);
  const sign = isMoreBetter ? '≥' : '≤';
  if (reaches(aim)) return `✔ aim ${sign} ${aim}`;
  return reaches(must) ? `✔ must ${sign} ${must} (aim ${aim})` : `✘ must ${sign} ${must}`;
}

const widths = [30, 10, 9, 9, 9, 7, 18, 30];

function line(cells) {
  return cells
    .map((cell, index) =>
      index === 0 || index >= 6
        ? String(cell).padEnd(widths[index])
        : String(cell).padStart(widths[index] - 1) + ' ',
    )
    .join('')
    .trimEnd();
}
