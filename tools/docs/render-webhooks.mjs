import { table } from './render-operations.mjs';

/** Renders docs/webhooks.md. @param {import('./product.mjs').Product} product */
export function renderWebhooks({ bus, api }) {
  const { webhookTypes, webhookTypeNames, webhookExample } = api;
  const classes = [...new Set(Object.values(webhookTypes).map(({ data }) => data))];
  return [
    '<!-- Written by `npm run docs` from libs/contracts/src/merchant/webhooks.types.ts. Do not edit. -->',
    '# Webhooks',
    introduction,
    '## Types',
    table(
      ['Type', 'When', 'Data'],
      webhookTypeNames.map((type) => {
        const { summary, data } = webhookTypes[type];
        return [`\`${type}\``, summary, `[${data.name}](#${data.name.toLowerCase()})`];
      }),
    ),
    'The same with a JSON Schema and an example of each: `GET /api/webhooks/types`, and the section `webhooks` of [openapi.json](openapi.json).',
    ...classes.flatMap((data) => {
      const type = webhookTypeNames.findLast((name) => webhookTypes[name].data === data);
      return [`## ${data.name}`, fieldTable(data, bus), `\`${type}\`:`, json(webhookExample(type))];
    }),
  ].join('\n\n');
}

const fieldTable = (data, { fieldsOf }) =>
  table(
    ['Field', 'Type', 'Meaning'],
    fieldsOf(data).map(({ name, schema }) => [
      `\`${name}\``,
      [schema.type].flat().join(' or '),
      schema.description,
    ]),
  );

const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const introduction = `Changes of your orders, payments and PayLinks are posted to the \`webhookUrl\` of your settings, signed by [Standard Webhooks](https://www.standardwebhooks.com).

**Set up.** Put \`webhookUrl\` into your settings (\`PUT /api/settings\`): https, port 443 or 8443, a public address; in the sandbox http and this machine too. Then \`POST /api/webhooks/secret\` shows your secret, once, and \`POST /api/webhooks/test\` sends a message and returns the result. The guide [receive webhooks](guides/webhooks.md) does all of it with commands.

**Receive.** Verify the signature with the library of your language, over the body as it arrived, before you parse it. Answer 2xx within 15 seconds, and do slow work afterwards. Only the status is read. The same message may arrive twice, with the same \`webhook-id\`. While your endpoint is healthy, messages arrive in the order of their creation; this is not guaranteed, so compare \`version\` or read the resource where order matters.

| You answer | Result |
| --- | --- |
| 2xx | delivered |
| 3xx | retried: redirects are not followed |
| 410 | retried, and your endpoint counts as disabled: one message an hour is tried, until one arrives or you set \`webhookUrl\` again |
| 429 or 503 with \`Retry-After\` | retried; nothing is sent before that time, at most a day |
| another status, no status, or later than 15 seconds | retried |

Messages are retried after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each up to a fifth longer: 75 hours or more. Then the status is \`parked\`; \`POST /api/webhooks/{id}/replay\` sends the message at any later time. After five failures in a row, one message at a time is tried, first after half a minute and at last once an hour; the first success sends all waiting messages. A message that cannot be tried for 96 hours is \`parked\` too.

**Change the secret.** \`POST /api/webhooks/secret\` creates a new one (by the wallet, or a key with the permission \`webhooks\`); for \`gracePeriodSeconds\` (a day; 0 when the secret has leaked) messages carry the signatures of both.

**Inspect.** \`GET /api/webhooks\` lists messages (\`status\`, \`type\`), \`GET /api/webhooks/{id}\` shows one with its last 20 attempts, \`GET /api/webhooks/endpoint\` the state of your endpoint.`;
