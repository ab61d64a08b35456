import type { Environment } from '@tollbridge/config';
import type { FieldError } from '@tollbridge/rpc';
import { webAddressError } from '../web-address';
import { ownText, storeNameOf, type Settings } from './merchant-settings';
import { logoError, logoIn } from './store-logo';

/** The appearance of a merchant's pages and the sites that may embed them, from the settings. */
export interface Storefront {
  storeName: string | null;
  /** The colour of the buttons as `#rrggbb` in lower case; null for the default colour. */
  storeColor: string | null;
  /** The hash of the logo; null without one. */
  logoHash: string | null;
  /** Origins of pages that may embed a checkout page in a frame. */
  embedOrigins: readonly string[];
}

/** The path of a logo on the gateway. */
export const logoPath = (hash: string | null): string | null => hash && `/assets/logos/${hash}`;

export const noStorefront: Storefront = {
  storeName: null,
  storeColor: null,
  logoHash: null,
  embedOrigins: [],
};

// Every page sends all origins in a header.
const mostOrigins = 10;
const color = /^#[0-9a-f]{6}$/i;
const mustBeOrigin = 'must be an origin: scheme and host, without a path, such as https://shop.example';

/**
 * The storefront from stored settings. Omits invalid values, which may come from settings that were stored before these
 * members were validated.
 */
export function storefrontOf(settings: Settings, environment: Environment): Storefront {
  const given = ownText(settings, 'storeColor') ?? '';
  const origins = originsIn(settings);
  const isValid = Array.isArray(origins) && originErrors(origins, environment).length === 0;
  return {
    storeName: storeNameOf(settings),
    storeColor: color.test(given) ? given.toLowerCase() : null,
    logoHash: logoIn(settings)?.hash ?? null,
    embedOrigins: isValid ? [...new Set(origins as string[])] : [],
  };
}

/** Validates `storeColor`, `storeLogo` and `embedOrigins`. */
export function validateStorefront(settings: Settings, environment: Environment): FieldError[] {
  const given = Object.hasOwn(settings, 'storeColor') ? settings['storeColor'] : null;
  const isColor = given === null || given === '' || (typeof given === 'string' && color.test(given));
  return [
    ...(isColor ? [] : [{ field: 'storeColor', message: 'must be a colour such as #1d4fc4' }]),
    ...logoErrors(settings),
    ...originErrors(originsIn(settings), environment),
  ];
}

function logoErrors(settings: Settings): FieldError[] {
  const message = logoError(settings);
  return message === undefined ? [] : [{ field: 'storeLogo', message }];
}

const originsIn = (settings: Settings): unknown =>
  Object.hasOwn(settings, 'embedOrigins') ? (settings['embedOrigins'] ?? []) : [];

function originErrors(origins: unknown, environment: Environment): FieldError[] {
  if (!Array.isArray(origins)) return [{ field: 'embedOrigins', message: 'must be a list of origins' }];
  if (origins.length > mostOrigins)
    return [{ field: 'embedOrigins', message: `must have at most ${mostOrigins} items` }];
  return origins.flatMap((origin: unknown, at) => {
    const message = originError(origin, environment);
    return message === undefined ? [] : [{ field: `embedOrigins.${at}`, message }];
  });
}

/** The error of an origin. The text goes into a header, so it must equal the origin that URL returns. */
function originError(text: unknown, environment: Environment): string | undefined {
  if (typeof text !== 'string') return mustBeOrigin;
  const error = webAddressError(text, environment);
  if (error !== undefined) return error;
  const { origin, hostname } = new URL(text);
  // URL accepts `*`, which a content security policy interprets as every host.
  return origin === text && !hostname.includes('*') ? undefined : mustBeOrigin;
}
