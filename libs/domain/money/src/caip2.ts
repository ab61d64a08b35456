/** A chain name in CAIP-2 form: `eip155:8453` has the namespace `eip155` and the reference `8453`. */
export interface Caip2 {
  readonly namespace: string;
  readonly reference: string;
}

// The grammar of CAIP-2 (ChainAgnostic/CAIPs).
const caip2Form = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/;

export function isCaip2(value: unknown): value is string {
  return typeof value === 'string' && caip2Form.test(value);
}

/** Parses a CAIP-2 name. @throws RangeError for any other text */
export function parseCaip2(text: string): Caip2 {
  const [, namespace, reference] = caip2Form.exec(text) ?? [];
  if (namespace === undefined || reference === undefined) {
    throw new RangeError('a CAIP-2 chain name must have the form namespace:reference, such as eip155:8453');
  }
  return { namespace, reference };
}
