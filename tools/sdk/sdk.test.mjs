import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import openapiTypes, { astToString } from 'openapi-typescript';
import { publint } from 'publint';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { repository } from '../local/directory.mjs';
import { descriptionFile } from './generated-sources.mjs';
import { operationsOf } from './operations.mjs';

const run = promisify(execFile);
const readJson = (file) => JSON.parse(readFileSync(join(repository, file), 'utf8'));
const document = readJson('docs/openapi.json');
const operations = operationsOf(readJson(descriptionFile), document);
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-sdk-'));
const path = (...names) => join(folder, ...names);
let tarball;

before(async () => {
  const { stdout } = await run(process.execPath, [join(repository, 'tools/pack-sdk.mjs'), folder]);
  tarball = readFileSync(stdout.trim());
  mkdirSync(path('node_modules/@tollbridge/sdk'), { recursive: true });
  const installed = path('node_modules/@tollbridge/sdk');
  await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
});
after(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('passes publint', async () => {
    const { messages } = await publint({
      pkgDir: path('node_modules/@tollbridge/sdk'),
      strict: true,
      pack: false,
    });
    assert.deepEqual(messages, []);
  });

  it('resolves to the correct types for every import method', async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    assert.deepEqual([result.types && true, result.problems], [true, []]);
  });

  it('contains no dependencies, and only its code, types and texts', async () => {
    const manifest = JSON.parse(readFileSync(path('node_modules/@tollbridge/sdk/package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.dependencies, manifest.peerDependencies, manifest.private],
      Array(3).fill(undefined),
    );
    const { stdout } = await run('find', [
      path('node_modules/@tollbridge/sdk'),
      '-name',
      '*.*',
      '-type',
      'f',
    ]);
    const others = stdout
      .split('\n')
      .filter((name) => !/(\.js|\.d\.ts|package\.json|README\.md|)$/.test(name));
    assert.deepEqual(others, []);
    assert.doesNotMatch(stdout, /spec|testing|declared-types/);
  });

  it('exports a function for each operation, as an ES module and for require', async () => {
    const list = 'const names = Object.keys(sdk).sort(); console.log(JSON.stringify(names));';
    writeFileSync(path('imported.mjs'), `import * as sdk from '@tollbridge/sdk'; ${list}`);
    writeFileSync(path('required.cjs'), `const sdk = require('@tollbridge/sdk'); ${list}`);
    const [imported, required] = await Promise.all(
      ['imported.mjs', 'required.cjs'].map((name) => run(process.execPath, [path(name)])),
    );
    assert.equal(imported.stdout, required.stdout);
    const names = JSON.parse(imported.stdout);
    const missing = operations.map(({ name }) => name).filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
  });

  it('adds less than 12 kB to a bundle with one operation, and no other operation', async () => {
    const alone = await bundle("export { createClient, createOrder } from '@tollbridge/sdk';");
    assert.ok(gzipSync(alone).length < 12_000, `${gzipSync(alone).length} bytes`);
    assert.match(alone, /create-order/);
    assert.doesNotMatch(alone, /\/v1\/quote|text\/event-stream|webhook-signature|subscribe/);
    const stream = await bundle("export { createClient, followOrder, listOrders } from '@tollbridge/sdk';");
    assert.ok(gzipSync(stream).length < 12_000, `${gzipSync(stream).length} bytes`);
  });
});

async function bundle(source) {
  writeFileSync(path('entry.mjs'), source);
  const built = await rolldown({ input: path('entry.mjs'), cwd: folder, platform: 'browser' });
  const { output } = await built.generate({ minify: true });
  return output[0].code;
}

describe('types', () => {
  let found;
  // One program for all tests, because reading the browser types takes most of the time.
  before(async () => {
    copyFileSync(join(repository, 'tools/sdk/consumer.ts.txt'), path('consumer.ts'));
    copyFileSync(join(repository, 'libs/sdk/src/testing/type-equality.ts'), path('type-equality.ts'));
    writeFileSync(
      path('openapi.ts'),
      astToString(await openapiTypes(document, { defaultNonNullable: false })),
    );
    writeFileSync(path('equal.ts'), equalityChecks());
    const logs = { level: 'silent', file: false };
    await generateClient({ input: document, output: path('hey-api'), logs });
    const browser = { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] };
    const generated = ['hey-api/sdk.gen.ts', 'hey-api/client.gen.ts'];
    found = diagnosticsOf(['consumer.ts', 'equal.ts', ...generated], browser);
  });
  const foundIn = (pattern) => found.filter((problem) => pattern.test(problem));

  it('compile in programs for browsers', () => {
    assert.deepEqual(foundIn(/\/(consumer\.ts|node_modules\/)/), []);
  });

  it('equal the types that openapi-typescript generates from docs/openapi.json', () => {
    assert.deepEqual(foundIn(/\/(equal|openapi|type-equality)\.ts/), []);
  });

  it('compile with the output of @hey-api/openapi-ts, with a function for each operation', () => {
    assert.deepEqual(foundIn(/\/hey-api\//), []);
    const functions = readFileSync(path('hey-api/sdk.gen.ts'), 'utf8');
    for (const { name } of operations) assert.match(functions, new RegExp(`export const ${name} =`));
  });

  it('compile in programs for Node.js', () => {
    const typeRoots = [join(repository, 'node_modules/@types')];
    const node = { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots };
    assert.deepEqual(diagnosticsOf(['consumer.ts'], node), []);
    // Proves that the type check ran, because the tests above expect no errors.
    writeFileSync(
      path('wrong.ts'),
      "import { createOrder } from '@tollbridge/sdk'; export const a: string = createOrder;",
    );
    assert.equal(diagnosticsOf(['wrong.ts'], { ...node, skipLibCheck: true }).length, 1);
  });
});

function diagnosticsOf(names, options) {
  const shared = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const files = names.map((name) => path(name));
  return ts.getPreEmitDiagnostics(ts.createProgram(files, { ...shared, ...options })).map((each) => {
    const line = each.file ? each.file.getLineAndCharacterOfPosition(each.start).line + 1 : 0;
    return `${each.file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`;
  });
}

/** Another generator reads the document independently. Both must produce the same types for each operation. */
function equalityChecks() {
  const checks = operations.map(({ name, isEnveloped, described: { body }, input, body: whole }) => {
    const type = name[0].toUpperCase() + name.slice(1);
    const data = isEnveloped ? "['data']" : '';
    const same = [`Expect<Same<sdk.${type}Result, Result<'${name}'>${data}>>`];
    if (whole && !input) same.push(`Expect<Same<sdk.${type}Input, Body<'${name}'>>>`);
    if (body) same.push(`Expect<Same<sdk.${type}Input['${body}'], Body<'${name}'>>>`);
    return `  ${name}: [${same.join(', ')}];`;
  });
  return `import type * as sdk from '@tollbridge/sdk';
import type { operations } from './openapi';
import type { Expect, Same } from './type-equality';
type Result<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer R } } };
} ? R : never;
type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer B } };
} ? B : never;
export interface Checks {
${checks.join('\n')}
}
`;
}
