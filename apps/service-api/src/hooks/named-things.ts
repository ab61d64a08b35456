import { isUuid } from '@tollbridge/rpc';

/** The ids in a webhook, to be looked up. The rest of the webhook is ignored. */
export interface NamedThings {
  /** Ids that this app sent to the provider as references. */
  purchaseIds: string[];
  /** Ids that the provider assigned. */
  providerIds: string[];
  /** The number that a message is for, in E.164 form. */
  recipient?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const maxDepth = 4;
const maxFields = 200;

/** Reloadly's webhooks differ in form, so our reference and the provider's id are searched at any depth. */
export function namedByReloadly(body: Buffer): NamedThings {
  const json = readJson(body);
  const references = fieldsNamed(json, ['customIdentifier', 'referenceId']).map(String);
  const purchaseIds = references.filter(isUuid);
  const ids = fieldsNamed(json, ['transactionId', 'id']).map(String);
  const providerIds = ids.filter((it) => /^[0-9]{1,15}$/.test(it));
  return { purchaseIds, providerIds };
}

/** Card events have a `card_token`. Other events have none. */
export function namedByLithic(body: Buffer): NamedThings {
  const tokens = fieldsNamed(readJson(body), ['card_token']);
  return {
    purchaseIds: [],
    providerIds: tokens.filter((it): it is string => typeof it === 'string' && isUuid(it)),
  };
}

/** Reads the recipient too: a message with a lost reply has no stored id. */
export function namedByTwilio(body: Buffer): NamedThings {
  const form = new URLSearchParams(body.toString());
  const [sid, to] = [form.get('MessageSid') ?? '', form.get('To') ?? ''];
  return {
    purchaseIds: [],
    providerIds: /^(SM|MM)[0-9a-f]{32}$/.test(sid) ? [sid] : [],
    ...(/^\+[1-9][0-9]{6,14}$/.test(to) && { recipient: to }),
  };
}

/** Reads the activation id and ignores the code beside it. */
export function namedBySmsActivate(body: Buffer): NamedThings {
  const ids = fieldsNamed(readJson(body), ['activationId']).map(String);
  return { purchaseIds: [], providerIds: ids.filter((it) => /^[\w-]{1,64}$/.test(it)) };
}

/** Returns undefined for invalid JSON. */
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Returns texts and numbers with these field names, at any depth, up to a limit. */
function fieldsNamed(value: unknown, names: readonly string[]): (string | number)[] {
  const found: (string | number)[] = [];
  let seen = 0;
  const visit = (it: unknown, depth: number): void => {
    if (typeof it !== 'object' || it === null || depth > maxDepth) return;
    for (const [name, field] of Object.entries(it as Fields)) {
      if (++seen > maxFields) return;
      const isOne = names.includes(name) && (typeof field === 'string' || typeof field === 'number');
      if (isOne) found.push(field as string | number);
      else visit(field, depth + 1);
    }
  };
  visit(value, 0);
  return found.slice(0, 8);
}
