// Writes the generated documentation from the declarations: node tools/docs/generate.mjs [--check]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { loadProduct, repository } from './product.mjs';
import { renderErrors } from './render-errors.mjs';
import { renderEvents } from './render-events.mjs';
import { renderOperations } from './render-operations.mjs';
import { renderRetention } from './render-retention.mjs';
import { renderSettings } from './render-settings.mjs';
import { renderWebhooks } from './render-webhooks.mjs';

/** The content of every generated file, by path. */
export async function generate() {
  const product = loadProduct();
  const { gateway, channels, events } = product;
  const serverUrl = gateway.settings.GATEWAY_PUBLIC_URL.sandboxDefault;
  const document = gateway.openApiDocument(gateway.gatewayRoutes('sandbox'), serverUrl, gateway.version);
  const asyncApi = gateway.asyncApiDocument({ channels, events }, serverUrl, gateway.version);
  const options = await resolveConfig(join(repository, 'docs/events.md'));
  const markdown = (text) => format(text, { ...options, parser: 'markdown' });
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'docs/asyncapi.json': `${JSON.stringify(asyncApi, null, 2)}\n`,
    'docs/operations.md': await markdown(renderOperations(product)),
    'docs/errors.md': await markdown(renderErrors(product)),
    'docs/events.md': await markdown(renderEvents(product)),
    'docs/webhooks.md': await markdown(renderWebhooks(product)),
    'docs/operations/retention.md': await markdown(await renderRetention(product)),
    '.env.example': renderSettings(product),
  };
}

/** Generated files that differ from the declarations. */
export async function outdated() {
  const wanted = Object.entries(await generate());
  return wanted.filter(([path, content]) => readIfAny(path) !== content).map(([path]) => path);
}

function readIfAny(path) {
  try {
    return readFileSync(join(repository, path), 'utf8');
  } catch {
    return undefined;
  }
}

async function main() {
  if (process.argv.includes('--check')) {
    const paths = await outdated();
    if (paths.length === 0) return;
    process.stderr.write(`Not current: ${paths.join(', ')}. Run: npm run docs\n`);
    process.exitCode = 1;
    return;
  }
  for (const [path, content] of Object.entries(await generate())) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
    process.stdout.write(`${path}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
