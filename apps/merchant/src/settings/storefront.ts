import type { Environment } from '@tollbridge/config';
import type { FieldError } from '@tollbridge/rpc';
import { webAddressError } from '../web-address';
import { ownText, storeNameOf, type Settings } from './merchant-settings';
import { logoError, logoIn } from './store-logo';

/** How the pages of a merchant look and where they may be shown, from the settings. */
export interface Storefront {
  storeName: string | null;
  /** Colour of the buttons as `#rrggbb` in lower case; null for the colour of Tollbridge. */
  storeColor: string | null;
  /** Hash of the logo; null without one. */
  logoHash: string | null;
  /** Origins of pages that may show a checkout page in a frame. */
  embedOrigins: readonly string[];
}

/** Path of a logo on the gateway. */
export const logoPath = (hash: string | null): string | null => hash && `/assets/logos/${hash}`;

export const noStorefront: Storefront = {
  storeName: null,
  storeColor: null,
  logoHash: null,
  embedOrigins: [],
};

// The header that names them goes with each page.
const mostOrigins = 10;
const color = /^#[0-9a-f]{6}$/i;
const mustBeOrigin = 'must be an origin: scheme and host, without a path, such as https://shop.example';

/**
 * What payers see of valid settings. Values that are not valid, of settings stored before they had a meaning, are left
 * out.
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

/** An origin goes into a header: nothing but what URL itself writes passes. */
function originError(text: unknown, environment: Environment): string | undefined {
  if (typeof text !== 'string') return mustBeOrigin;
  const error = webAddressError(text, environment);
  if (error !== undefined) return error;
  const { origin, hostname } = new URL(text);
  // URL accepts `*`, which a policy takes for every host.
  return origin === text && !hostname.includes('*') ? undefined : mustBeOrigin;
}
