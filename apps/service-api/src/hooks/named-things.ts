import { isUuid } from '@tollbridge/rpc';

/** What a webhook is about, as far as it can be looked up. Nothing else that it says is read. */
export interface NamedThings {
  /** Those that we gave to the provider. */
  purchaseIds: string[];
  /** The provider's own. */
  providerIds: string[];
  /** The number that a message is for, in E.164 form. */
  recipient?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const maxDepth = 4;
const maxFields = 200;

/** Reloadly's webhooks vary in their form: our reference and its own id are looked for wherever they stand. */
export function namedByReloadly(body: Buffer): NamedThings {
  const said = readJson(body);
  const references = fieldsNamed(said, ['customIdentifier', 'referenceId']).map(String);
  const purchaseIds = references.filter(isUuid);
  const ids = fieldsNamed(said, ['transactionId', 'id']).map(String);
  const providerIds = ids.filter((it) => /^[0-9]{1,15}$/.test(it));
  return { purchaseIds, providerIds };
}

/** Every event of a card names it in the same way; those of others name none. */
export function namedByLithic(body: Buffer): NamedThings {
  const tokens = fieldsNamed(readJson(body), ['card_token']);
  return {
    purchaseIds: [],
    providerIds: tokens.filter((it): it is string => typeof it === 'string' && isUuid(it)),
  };
}

/** Its number is needed too: a message whose answer was lost is not known by its id. */
export function namedByTwilio(body: Buffer): NamedThings {
  const form = new URLSearchParams(body.toString());
  const [sid, to] = [form.get('MessageSid') ?? '', form.get('To') ?? ''];
  return {
    purchaseIds: [],
    providerIds: /^(SM|MM)[0-9a-f]{32}$/.test(sid) ? [sid] : [],
    ...(/^\+[1-9][0-9]{6,14}$/.test(to) && { recipient: to }),
  };
}

/** @returns the activation; the code beside it is not read */
export function namedBySmsActivate(body: Buffer): NamedThings {
  const ids = fieldsNamed(readJson(body), ['activationId']).map(String);
  return { purchaseIds: [], providerIds: ids.filter((it) => /^[\w-]{1,64}$/.test(it)) };
}

/** What JSON says; undefined for what is none. */
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The texts and numbers that stand under these names, whatever they are inside of; a few of them at most. */
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
