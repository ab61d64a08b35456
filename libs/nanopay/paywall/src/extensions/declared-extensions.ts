import { isObject, paymentIdentifierExtension } from '@tollbridge/nanopay-protocol';

export type Extensions = Readonly<Record<string, unknown>>;

/** Clients return all extensions in their payment, which must fit into a header. */
const maxDeclaredBytes = 4_096;
/** The paywall creates these extensions itself. */
const reserved = ['payment-identifier', 'offer-receipt', 'sign-in-with-x'];

/** @throws TypeError for extensions that are too large for clients to return, or that the paywall creates itself */
export function requireDeclarable(declared: Extensions): void {
  for (const name of reserved)
    if (Object.hasOwn(declared, name))
      throw new TypeError(`The extension ${name} is reserved: the paywall creates it.`);
  const byteLength = Buffer.byteLength(JSON.stringify(declared));
  if (byteLength > maxDeclaredBytes)
    throw new TypeError(`Extensions have at most ${maxDeclaredBytes} bytes of JSON, not ${byteLength}.`);
}

/** The extensions of a 402 that are the same for every request. */
export function extensionsOf(declared: Extensions | undefined, method: string): Extensions {
  if (!declared) return paymentIdentifierExtension;
  const { bazaar } = declared;
  const ofMethod = isObject(bazaar) ? { bazaar: withMethod(bazaar, method) } : {};
  return { ...declared, ...ofMethod, ...paymentIdentifierExtension };
}

/** Adds the method, which `declareDiscoveryExtension` omits because only the server has it. */
function withMethod(bazaar: Record<string, unknown>, method: string): Record<string, unknown> {
  const { info, schema } = bazaar;
  if (!isObject(info) || !isObject(info.input) || info.input.type !== 'http') return bazaar;
  const input = { ...info.input, method };
  return { ...bazaar, info: { ...info, input }, schema: schemaWithMethod(schema, method) };
}

function schemaWithMethod(schema: unknown, method: string): unknown {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(schema.properties.input)) return schema;
  const { input } = schema.properties;
  const properties = { ...(input.properties as object), method: { type: 'string', enum: [method] } };
  return { ...schema, properties: { ...schema.properties, input: { ...input, properties } } };
}
