import type { Guide } from '../site/guides';

type Page = Pick<Guide, 'slug' | 'title' | 'summary' | 'markdown'>;

/** `/llms.txt` (llmstxt.org): a description of this API, with links for programs. @param base the public URL */
export function llmsText(base: string, guides: readonly Page[]): string {
  const pages = guides.map(
    ({ slug, title, summary }) => `- [${title}](${base}/guides/${slug}.md): ${summary}`,
  );
  return `# Tollbridge

> One API to take a payment on any chain, swap across chains, and sell anything by HTTP 402. It also buys services: gift cards, airtime, bills, text messages, e-mail, virtual cards, payouts.

Agents call it by the Model Context Protocol: POST ${base}/mcp (Streamable HTTP, an API key as \`Authorization: Bearer\`). Each tool is an operation that the key permits, and states its cost before it buys. Without a key, agents pay for the resources that are sold by HTTP 402 with x402. Everything else is a REST API with the same operations.

## API

- [OpenAPI document](${base}/openapi.json): every operation with its input, output and errors
- [AsyncAPI document](${base}/asyncapi.json): streams and events
- [Error codes](${base}/docs/errors): what each code means, and what to do
- [What is sold by HTTP 402](${base}/discovery/resources): resources and prices, as x402 facilitators list them
- [Payment schemes](${base}/supported): what the facilitator verifies and settles

## Guides

${pages.join('\n')}

## Optional

- [All guides as one text](${base}/llms-full.txt)
`;
}

/** `/llms-full.txt`: all pages, each with its URL. */
export function llmsFullText(base: string, guides: readonly Page[]): string {
  const pages = guides.map(({ slug, markdown }) => `<!-- ${base}/guides/${slug} -->\n\n${markdown.trim()}\n`);
  return pages.join('\n');
}

/** The API catalog of RFC 9727, as a link set of RFC 9264. */
export function apiCatalog(base: string): object {
  const link = (path: string, type: string) => ({ href: `${base}${path}`, type });
  return {
    linkset: [
      {
        anchor: base,
        'service-desc': [
          link('/openapi.json', 'application/json'),
          link('/asyncapi.json', 'application/json'),
        ],
        'service-doc': [link('/docs', 'text/html'), link('/llms.txt', 'text/markdown')],
        status: [link('/health/services', 'application/json')],
        item: [link('/mcp', 'application/json'), link('/discovery/resources', 'application/json')],
      },
    ],
  };
}
