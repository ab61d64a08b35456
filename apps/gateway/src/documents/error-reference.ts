import { errorCodes, errorGuide, statusOf, type ErrorCode, type Operation } from '@tollbridge/rpc';
import { html, type Html } from '../pages/parts/html';
import type { Page } from '../pages/parts/layout';
import type { GatewayRoute } from '../routes/gateway-route';
import { errorsOf } from './documented-replies';

export interface ErrorEntry {
  code: ErrorCode;
  status: number;
  meaning: string;
  action: string;
  /** The replies that contain the code: a sentence, or routes such as `POST /v1/quote`. */
  answeredBy: string | string[];
}

const outsideOperations: Partial<Record<ErrorCode, string>> = {
  UPGRADE_REQUIRED: 'GET /v1/transaction/stream without a WebSocket handshake',
  TOO_MANY_SUBSCRIPTIONS: 'Messages of the WebSocket /v1/transaction/stream',
};

/** Every error code, by status, with the operations that return it. */
export function errorReference(all: readonly GatewayRoute[]): ErrorEntry[] {
  const operations = all.filter(({ kind }) => kind === 'operation').map(({ declaration }) => declaration);
  const codes = (Object.keys(errorCodes) as ErrorCode[]).sort(
    (one, other) => statusOf(one) - statusOf(other),
  );
  return codes.map((code) => ({
    ...errorGuide[code],
    code,
    status: statusOf(code),
    answeredBy: answeredBy(code, operations),
  }));
}

function answeredBy(code: ErrorCode, operations: readonly Operation[]): string | string[] {
  const answering = operations.filter((operation) => errorsOf(operation).includes(code));
  if (answering.length === 0)
    return outsideOperations[code] ?? 'The gateway, before the request reaches an operation';
  if (answering.length === operations.length) return 'Every operation';
  const withBody = operations.filter(({ hasBody }) => hasBody);
  if (answering.length === withBody.length && withBody.every((one) => answering.includes(one)))
    return 'Every POST and PUT';
  return answering.map(({ method, path }) => `${method} ${path}`);
}

/**
 * The page at `/docs/errors`, with one section for each code. The `documentation_url` of failures links to these
 * sections.
 */
export function errorsPage(entries: readonly ErrorEntry[]): Page {
  const body = html`<h1>Error codes</h1>
    <p>
      Every failure has a stable <kbd>code</kbd>, a message for people, and a <kbd>request_id</kbd> to quote
      when you report it. Switch over <kbd>code</kbd>.
    </p>
    <p><a href="/docs">All operations</a></p>
    ${entries.map(section)}`;
  return { title: 'Error codes', body };
}

function section({ code, status, meaning, action, answeredBy: by }: ErrorEntry): Html {
  return html`<h2 id="${code}">${code}</h2>
    <p class="soft">HTTP status ${status}</p>
    <p>${withCode(meaning)}</p>
    <p><strong>What to do:</strong> ${withCode(action)}</p>
    ${typeof by === 'string' ? html`<p class="soft">${by}.</p>` : routes(by)}`;
}

function routes(all: readonly string[]): Html {
  return html`<details>
    <summary>${all.length} ${all.length === 1 ? 'operation' : 'operations'}</summary>
    <ul>
      ${all.map((route) => html`<li>${route}</li>`)}
    </ul>
  </details>`;
}

/** Text between backticks becomes code. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<kbd>${part}</kbd>` : html`${part}`));
}
