// Prints the public key of the receipts that a seed signs: node tools/receipt-key.mjs FILE (docs/operations/rotate.md)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the file with the seed: node tools/receipt-key.mjs tee-next.key');
const seed = readFileSync(file, 'utf8').trim();
if (!/^[0-9a-f]{64}$/.test(seed)) throw new Error(`${file} must have 64 hexadecimal digits.`);
const { signingKey } = createRequire(import.meta.url)('@tollbridge/nanopay-protocol');
process.stdout.write(`${signingKey(Buffer.from(seed, 'hex')).publicKey.toString('hex')}\n`);
