// Starts every app from the content of its image, in a read-only root as uid 1000: npm run drill:images [-- --production]
// With --production: the apps of production only, without local chains and without a payment.
import { runImages } from '../image/run-images.mjs';
import { flag, readOptions } from '../local/options.mjs';
import { describeError } from '../local/problem.mjs';

const { values } = readOptions({ production: flag });
try {
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
