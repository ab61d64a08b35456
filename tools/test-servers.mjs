// Runs Postgres, NATS and Redis for one test run. Prints their addresses as one line of JSON, and stops them when its
// standard input ends. A pipe closes when its process ends for any reason, so no server keeps running.
import { describeError } from './local/problem.mjs';
import { startTestServers } from './local/test-servers.mjs';

try {
  let isLeft = false;
  const left = new Promise((resolve) => {
    process.stdin.once('end', resolve).once('error', resolve).resume();
    // Ctrl-C also reaches this process, while the tests may still use the servers. Only the end of the pipe stops them.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    process.once('SIGTERM', resolve);
  }).then(() => (isLeft = true));
  const servers = await startTestServers();
  if (!isLeft) process.stdout.write(`${JSON.stringify(servers.variables)}\n`);
  await left;
  await servers.stop();
  process.exit(0);
} catch (error) {
  process.stderr.write(`\n  ${describeError(error)}\n`);
  process.exit(1);
}
