export function printResult({ rows, rounds, seconds, targets }) {
  const print = (text = '') => process.stdout.write(`${text}\n`);
  print(`\nMedians of ${rounds} rounds of ${seconds} s each, all rows in turns; times in ms.`);
  print('Load: calls in flight, or a fixed rate of calls a second (timed from their scheduled time).');
  print('+p50, +p99: overhead of the paywall over the open route of the same server under the same load.\n');
  print(line(['row', 'load', 'req/s', 'p50', 'p99', '+p50', '+p99', 'compared']));
  for (const row of rows) {
    const { row: name, load, rate, p50, p99, overheadP50, overheadP99 } = row;
    const times = [p50, p99, overheadP50, overheadP99].map((ms) => ms?.toFixed(2) ?? '');
    print(line([name, load, Math.round(rate), ...times, remarks(row)]));
  }
  if (targets.length > 0) print('\nTargets:');
  for (const { name, wanted, measured, isMet } of targets)
    print(`  ${isMet ? 'met   ' : 'MISSED'}  ${name.padEnd(52)} ${String(measured).padStart(9)}   ${wanted}`);
}

// Above this lateness, a row measures the load generator instead of the server.
const mostLateMs = 5;

function remarks({ ratios, unsent, failures, lateP99 }) {
  const compared = Object.entries(ratios)
    .filter(([, ratio]) => ratio !== null)
    .map(([name, ratio]) => `${ratio.toFixed(2)} × ${name}`);
  if (unsent > 0) compared.push(`does not keep up: ${unsent} were never sent`);
  if (failures > 0) compared.push(`${failures} failed`);
  if (lateP99 > mostLateMs) compared.push(`the load generator was late: p99 ${lateP99.toFixed(1)} ms`);
  return compared.join(', ');
}

const widths = [32, 9, 9, 10, 10, 10, 10, 60];

function line(cells) {
  return cells
    .map((cell, index) =>
      index === 0 || index === 7
        ? String(cell).padEnd(widths[index])
        : String(cell).padStart(widths[index] - 1) + ' ',
    )
    .join('')
    .trimEnd();
}
