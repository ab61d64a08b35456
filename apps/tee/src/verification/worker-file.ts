import { join } from 'node:path';

/** The compiled worker file: a worker thread of a test cannot load TypeScript. */
export const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/verification/verify-worker.js')
  : join(__dirname, 'verify-worker.js');
