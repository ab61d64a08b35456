import { formatted } from './formatted.mjs';
import { loadProduct } from './product.mjs';
import { renderErrors } from './render-errors.mjs';
import { renderEvents } from './render-events.mjs';
import { renderExample } from './render-example.mjs';
import { renderOperations } from './render-operations.mjs';
import { renderPlaceholders } from './render-placeholders.mjs';
import { renderPublicNodes } from './render-public-nodes.mjs';
import { renderQuotes } from './render-quotes.mjs';
import { renderRetention } from './render-retention.mjs';
import { renderSettings } from './render-settings.mjs';
import { renderTools } from './render-tools.mjs';
import { renderWebhooks } from './render-webhooks.mjs';
import { renderCliReference } from '../cli/render-cli-reference.mjs';
import { describeApi, descriptionText } from '../sdk/describe.mjs';
import { descriptionFile } from '../sdk/generated-sources.mjs';
import { operationsOf } from '../sdk/operations.mjs';
import { renderDeclaredTypes } from '../sdk/render-declared-types.mjs';
import { renderReference } from '../sdk/render-reference.mjs';

/** Returns the content of every generated file, by path. */
export async function generate() {
  const product = loadProduct();
  const { chains, gateway, channels, eventStreams, events } = product;
  const serverUrl = gateway.settings.GATEWAY_PUBLIC_URL.sandboxDefault;
  const document = gateway.openApiDocument(gateway.gatewayRoutes('sandbox'), serverUrl, gateway.version);
  const asyncApi = gateway.asyncApiDocument({ channels, eventStreams, events }, serverUrl, gateway.version);
  const description = describeApi(product);
  const operations = operationsOf(description, document);
  const markdown = (text) => formatted('document.md', text);
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'docs/asyncapi.json': `${JSON.stringify(asyncApi, null, 2)}\n`,
    'docs/operations.md': await markdown(renderOperations(product)),
    'docs/errors.md': await markdown(renderErrors(product)),
    'docs/events.md': await markdown(renderEvents(product)),
    'docs/mcp.md': await markdown(renderTools(product)),
    'docs/webhooks.md': await markdown(renderWebhooks(product)),
    'docs/from-nest.md': await markdown(renderQuotes('docs/from-nest.md')),
    'docs/operations/retention.md': await markdown(await renderRetention(product)),
    'apps/gateway/src/pages/wallets/public-nodes.ts': await formatted('nodes.ts', renderPublicNodes(chains)),
    'apps/gateway/src/pages/texts/placeholders.ts': await formatted('placeholders.ts', renderPlaceholders()),
    'docs/sdk.md': await markdown(renderReference(operations, document)),
    'docs/cli.md': await markdown(renderCliReference(product, operations, document)),
    [descriptionFile]: descriptionText(description),
    'libs/sdk/src/testing/declared-types.ts': renderDeclaredTypes(product, operations),
    'docs/settings.md': await markdown(renderSettings(product)),
    '.env.example': renderExample(product),
  };
}
