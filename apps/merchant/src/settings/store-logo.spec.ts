import { createHash } from 'node:crypto';
import { logoError, logoIn } from './store-logo';

const urlOf = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`;

/** A PNG header for this size, followed by padding. */
function png(width: number, height: number, length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function webp(format: string, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('RIFF', 'latin1');
  bytes.write(`WEBP${format}`, 8, 'latin1');
  write(bytes);
  return bytes;
}

/** An application segment, followed by the frame header. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4]), frame, Buffer.alloc(32)]);
}

const lossy = webp('VP8 ', (bytes) => bytes.writeUInt32LE(64 | (32 << 16), 26));
const lossless = webp('VP8L', (bytes) => bytes.writeUInt32LE(63 | (31 << 14), 21));
const extended = webp('VP8X', (bytes) => bytes.writeUInt32LE(63, 24));

describe('storeLogo', () => {
  it.each([
    ['a PNG', png(64, 32), 'image/png'],
    ['a JPEG', jpeg(64, 32), 'image/jpeg'],
    ['a lossy WebP', lossy, 'image/webp'],
    ['a lossless WebP', lossless, 'image/webp'],
    ['an extended WebP', extended, 'image/webp'],
    ['the largest file', png(1_024, 1_024, 32 * 1_024), 'image/png'],
  ])('reads %s', (_title, content, type) => {
    const storeLogo = urlOf(content, type);
    expect(logoError({ storeLogo })).toBeUndefined();
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
    expect(logoIn({ storeLogo })).toEqual({ hash, type, content });
  });

  it.each([{}, { storeLogo: null }, { storeLogo: '' }])('returns no logo for %j', (settings) => {
    expect(logoError(settings)).toBeUndefined();
    expect(logoIn(settings)).toBeUndefined();
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  it.each<[string, unknown, string]>([
    ['a URL of another site', 'https://shop.example/logo.png', 'must be a data: URL'],
    ['an SVG', urlOf(svg, 'image/svg+xml'), 'must be a data: URL'],
    ['an SVG that claims to be a PNG', urlOf(svg), 'must be an image of the type image/png'],
    ['a JPEG that claims to be a PNG', urlOf(jpeg(1, 1)), 'must be an image of the type image/png'],
    ['HTML', urlOf(Buffer.from('<script>'), 'text/html'), 'must be a data: URL'],
    ['base64 with other characters', `${urlOf(png(1, 1))}\n`, 'must be a data: URL'],
    [
      'base64 that has two spellings',
      `${urlOf(png(1, 1, 64)).replace(/.==$/, 'B==')}`,
      'must be a data: URL',
    ],
    ['a number', 7, 'must be a data: URL'],
    ['a file above the limit', urlOf(png(1, 1, 32 * 1_024 + 1)), 'must have at most 32768 bytes'],
    ['an image that fills the memory', urlOf(png(30_000, 30_000)), 'must have at most 1024 pixels'],
    ['an image without size', urlOf(png(0, 5)), 'must be an image'],
    [
      'an endless JPEG',
      urlOf(Buffer.from('ffd8' + 'ffe00002'.repeat(20), 'hex'), 'image/jpeg'),
      'must be an image',
    ],
    [
      'a JPEG with a segment of no length',
      urlOf(Buffer.from('ffd8' + 'ffe00000'.repeat(20), 'hex'), 'image/jpeg'),
      'must be an image',
    ],
    [
      'a JPEG without segments',
      urlOf(Buffer.from('ffd8' + '00'.repeat(40), 'hex'), 'image/jpeg'),
      'must be an image',
    ],
    [
      'a WebP of an unknown format',
      urlOf(
        webp('XXXX', () => undefined),
        'image/webp',
      ),
      'must be an image',
    ],
    ['an empty file', 'data:image/png;base64,AA==', 'must be an image'],
  ])('rejects %s', (_title, storeLogo, message) => {
    expect(logoError({ storeLogo })).toContain(message);
    expect(logoIn({ storeLogo })).toBeUndefined();
  });

  it('ignores inherited properties', () => {
    const settings = JSON.parse(`{"__proto__": {"storeLogo": "${urlOf(png(1, 1))}"}}`) as Record<
      string,
      unknown
    >;
    expect(logoIn(settings)).toBeUndefined();
  });
});
