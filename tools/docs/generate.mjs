// Writes the generated documentation from the declarations: node tools/docs/generate.mjs [--check]
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { apiTypes } from './api-types.mjs';
import { writeOrCheck } from './generated-files.mjs';
import { loadProduct, repository } from './product.mjs';
import { renderErrors } from './render-errors.mjs';
import { renderEvents } from './render-events.mjs';
import { renderOperations } from './render-operations.mjs';
import { renderRetention } from './render-retention.mjs';
import { renderSettings } from './render-settings.mjs';
import { renderWebhooks } from './render-webhooks.mjs';
import { renderReference } from '../sdk/render-reference.mjs';
import { renderSdk } from '../sdk/render-sdk.mjs';

/** The content of every generated file, by path. */
export async function generate() {
  const product = loadProduct();
  const { gateway, channels, eventStreams, events } = product;
  const serverUrl = gateway.settings.GATEWAY_PUBLIC_URL.sandboxDefault;
  const document = gateway.openApiDocument(gateway.gatewayRoutes('sandbox'), serverUrl, gateway.version);
  const asyncApi = gateway.asyncApiDocument({ channels, eventStreams, events }, serverUrl, gateway.version);
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
    'apps/web/src/dashboard/api/generated/openapi.d.ts': await apiTypes(document),
    'docs/sdk.md': await markdown(renderReference(product, document)),
    ...renderSdk(product, document),
    '.env.example': renderSettings(product),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeOrCheck(await generate(), 'npm run docs');
