// Makes one payment through a running Tollbridge: node tools/pay-once.mjs [GATEWAY_URL]
import { Directory, defaultDirectory } from './local/directory.mjs';
import { describeError, Problem } from './local/problem.mjs';

try {
  const named = process.argv[2] ?? process.env.TOLLBRIDGE_URL;
  const gateway = named ?? new Directory(defaultDirectory).readJson('state.json')?.gateway;
  if (!gateway) throw new Problem('Tollbridge has not been started here. Start it first: npm start');
  // Imported here, because this file needs packages, and without them the sentence above says what to do.
  const { makePayment } = await import('./local/first-payment.mjs');
  await makePayment(gateway.replace(/\/$/, ''), (line) => console.log(line));
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = 1;
}
