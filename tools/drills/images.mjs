// Starts every app from the content of its image, in a read-only root file system as uid 1000.
//
// npm run drill:images [-- --production]
//
// With --production: only the apps of production, without local chains and without a payment.
import { flag, readOptions } from '../local/options.mjs';
import { describeError } from '../local/problem.mjs';

const { values } = readOptions({ production: flag });
try {
  // Imported here, because this file needs the installed packages, but --help must work without them.
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
