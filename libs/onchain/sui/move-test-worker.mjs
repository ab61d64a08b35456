// Runs Move tests in a worker thread, because only the end of the thread frees the virtual machine's 75 MB of memory.
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { readMoveFiles, testMovePackage } from './move-package.mjs';

// Disables V8's optimising compiler. Its memory for this module stays allocated by the C library after the thread ends.
setFlagsFromString('--liftoff-only');
const scene = readMoveFiles('tests')['tests/scene.move'];

parentPort?.on('message', ({ id, task: { tests, packageId, addresses } }) => {
  testMovePackage({ tests: { 'tests/scene.move': scene, ...tests }, packageId, addresses })
    .then((result) => parentPort?.postMessage({ id, result }))
    .catch((error) => parentPort?.postMessage({ id, error: error.message }));
});
