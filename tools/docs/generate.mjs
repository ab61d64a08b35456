// Writes the generated documentation from the declarations: npm run docs [-- --check]
import { pathToFileURL } from 'node:url';
import { apiTypes } from './api-types.mjs';
import { formatted } from './formatted.mjs';
import { writeOrCheck } from './generated-files.mjs';
import { loadProduct } from './product.mjs';
import { renderErrors } from './render-errors.mjs';
import { renderEvents } from './render-events.mjs';
import { renderOperations } from './render-operations.mjs';
import { renderPublicNodes } from './render-public-nodes.mjs';
import { renderRetention } from './render-retention.mjs';
import { renderSettings } from './render-settings.mjs';
import { renderTools } from './render-tools.mjs';
import { renderWebhooks } from './render-webhooks.mjs';
import { renderCli } from '../cli/render-cli.mjs';
import { renderCliReference } from '../cli/render-cli-reference.mjs';
import { flag, readOptions } from '../local/options.mjs';
import { renderReference } from '../sdk/render-reference.mjs';
import { renderSdk } from '../sdk/render-sdk.mjs';

/** The content of every generated file, by path. */
export async function generate() {
  const product = loadProduct();
  const { chains, gateway, channels, eventStreams, events } = product;
  const serverUrl = gateway.settings.GATEWAY_PUBLIC_URL.sandboxDefault;
  const document = gateway.openApiDocument(gateway.gatewayRoutes('sandbox'), serverUrl, gateway.version);
  const asyncApi = gateway.asyncApiDocument({ channels, eventStreams, events }, serverUrl, gateway.version);
  const markdown = (text) => formatted('document.md', text);
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'docs/asyncapi.json': `${JSON.stringify(asyncApi, null, 2)}\n`,
    'docs/operations.md': await markdown(renderOperations(product)),
    'docs/errors.md': await markdown(renderErrors(product)),
    'docs/events.md': await markdown(renderEvents(product)),
    'docs/mcp.md': await markdown(renderTools(product)),
    'docs/webhooks.md': await markdown(renderWebhooks(product)),
    'docs/operations/retention.md': await markdown(await renderRetention(product)),
    'apps/web/src/dashboard/api/generated/openapi.d.ts': await apiTypes(document),
    'apps/gateway/src/pages/public-nodes.ts': await formatted('nodes.ts', renderPublicNodes(chains)),
    'docs/sdk.md': await markdown(renderReference(product, document)),
    ...renderSdk(product, document, asyncApi),
    ...renderCli(product, document),
    'docs/cli.md': await markdown(renderCliReference(product, document)),
    '.env.example': renderSettings(product),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  readOptions({ check: flag });
  writeOrCheck(await generate(), 'npm run docs');
}
