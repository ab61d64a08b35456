// Tests the Move package of sui/ in the virtual machine of Sui. The last line is "N passed, N failed".
// With --json it reads { sources?, tests? } (text by path) from standard input, and writes the result as JSON.
import { text } from 'node:stream/consumers';
import { testMovePackage } from '../sui/move-package.mjs';

const isJson = process.argv.includes('--json');
try {
  const { passed, failed, output } = await testMovePackage(
    isJson ? JSON.parse(await text(process.stdin)) : {},
  );
  if (isJson) {
    process.stdout.write(JSON.stringify({ passed, failed, output }));
  } else {
    console.log(output);
    console.log(`${passed.length} passed, ${failed.length} failed`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
