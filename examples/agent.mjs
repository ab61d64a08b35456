// An agent buys a gift card through MCP with the official client. The cost is stated and confirmed before the purchase.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
// In the sandbox the agent uses the demo merchant's key. Your own key limits the agent's permissions and its spending.
const { merchant } = await (await fetch(`${api}/sandbox`)).json();
const headers = { authorization: `Bearer ${process.env.TOLLBRIDGE_API_KEY ?? merchant.secret}` };

const agent = new Client(
  { name: 'example-agent', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
);
// A real agent would ask a person here. This example accepts every purchase.
agent.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(`asked: ${params.message}`);
  return { action: 'accept', content: { buy: true } };
});
await agent.connect(
  new StreamableHTTPClientTransport(new URL(`${api}/mcp?features=gift,sms`), { requestInit: { headers } }),
);

const { tools } = await agent.listTools();
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`);

const { structuredContent: cards } = await agent.callTool({
  name: 'listGiftCards',
  arguments: { country: 'US', size: 5 },
});
const [card] = cards.items;
const [price] = card.fixedRecipientDenominations.length > 0 ? card.fixedRecipientDenominations : [25];
const order = { productId: card.productId, quantity: 1, unitPrice: price, senderName: 'Ada' };
const {
  structuredContent: bought,
  content,
  isError,
} = await agent.callTool({ name: 'orderGiftCard', arguments: order });
console.log(isError ? content[0].text : `bought: ${bought.product.productName}, ${bought.status}`);
await agent.close();
