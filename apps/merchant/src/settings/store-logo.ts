import { createHash } from 'node:crypto';
import { imageInfo, type ImageType } from './image-info';
import { ownText, type Settings } from './merchant-settings';

/** A validated logo of a shop. */
export interface StoreLogo {
  /** Identifies the logo in its URL, so that the content of a URL never changes. */
  hash: string;
  type: ImageType;
  content: Buffer;
}

// The settings as a whole have at most 64 KiB.
const mostBytes = 32 * 1024;
// A small file may decompress to an image that fills the memory of a phone.
const mostPixels = 1_024;
const dataUrl = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

// Validation and storage receive the same object, so its logo is decoded only once.
const readLogos = new WeakMap<Settings, StoreLogo | string>();

/** The logo of the settings; undefined without a valid one. */
export function logoIn(settings: Settings): StoreLogo | undefined {
  const logo = logoOrError(settings);
  return typeof logo === 'object' ? logo : undefined;
}

/** The validation error of `storeLogo`; undefined when it is valid. Null and an empty string mean no logo. */
export function logoError(settings: Settings): string | undefined {
  const given = Object.hasOwn(settings, 'storeLogo') ? settings['storeLogo'] : null;
  if (given === null || given === '') return undefined;
  const error = logoOrError(settings);
  return typeof error === 'string' ? error : undefined;
}

function logoOrError(settings: Settings): StoreLogo | string {
  const known = readLogos.get(settings) ?? readLogo(settings);
  readLogos.set(settings, known);
  return known;
}

function readLogo(settings: Settings): StoreLogo | string {
  const [, named, text = ''] = dataUrl.exec(ownText(settings, 'storeLogo') ?? '') ?? [];
  const content = Buffer.from(text, 'base64');
  if (named === undefined || content.toString('base64') !== text)
    return 'must be a data: URL with base64 of a PNG, JPEG or WebP image';
  if (content.length > mostBytes) return `must have at most ${mostBytes} bytes`;
  const info = imageInfo(content);
  if (info?.type !== named) return `must be an image of the type ${named}`;
  if (Math.max(info.width, info.height) > mostPixels)
    return `must have at most ${mostPixels} pixels in width and height`;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return { hash, type: info.type, content };
}
