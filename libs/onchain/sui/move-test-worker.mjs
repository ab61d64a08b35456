// Runs Move tests in a worker thread: the virtual machine takes about 75 MB, which only the end of the thread returns.
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { readMoveFiles, testMovePackage } from './move-package.mjs';

// V8's optimising compiler takes memory for this module that the C library keeps when the thread ends.
setFlagsFromString('--liftoff-only');
const scene = readMoveFiles('tests')['tests/scene.move'];

parentPort?.on('message', ({ id, task: { tests, packageId, addresses } }) => {
  testMovePackage({ tests: { 'tests/scene.move': scene, ...tests }, packageId, addresses })
    .then((result) => parentPort?.postMessage({ id, result }))
    .catch((error) => parentPort?.postMessage({ id, error: error.message }));
});
