// Starts every app from the content of its image, in a read-only root as uid 1000.
//
// npm run drill:images [-- --production]
//
// With --production: the apps of production only, without local chains and without a payment.
import { flag, readOptions } from '../local/options.mjs';
import { describeError } from '../local/problem.mjs';

const { values } = readOptions({ production: flag });
try {
  // Only now: without packages this file is not readable, and --help must be.
  const { runImages } = await import('../image/run-images.mjs');
  const figures = await runImages({
    isProduction: values.production,
    print: (line) => void process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exit(0);
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exit(1);
}
