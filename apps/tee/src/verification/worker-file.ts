import { join } from 'node:path';

/** Where threads find what they run: compiled, since a thread of a test would not know what to do with TypeScript. */
export const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/verification/verify-worker.js')
  : join(__dirname, 'verify-worker.js');
