export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export interface ImageInfo {
  type: ImageType;
  /** In pixels. */
  width: number;
  height: number;
}

// More than the headers that are read, and less than any valid image.
const leastBytes = 32;

/** The type and size of an image from its first bytes; undefined for other formats than PNG, JPEG and WebP. */
export function imageInfo(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < leastBytes) return undefined;
  const size = sizeOfPng(bytes) ?? sizeOfWebp(bytes) ?? sizeOfJpeg(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

const textAt = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** PNG specification, section 11.2.2: IHDR is the first chunk. */
function sizeOfPng(bytes: Buffer): ImageInfo | undefined {
  if (textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(bytes, 12, 16) !== 'IHDR') return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** RFC 9649: the file is lossy, lossless or extended. */
function sizeOfWebp(bytes: Buffer): ImageInfo | undefined {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 12) !== 'WEBP') return undefined;
  const type = 'image/webp';
  switch (textAt(bytes, 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** ITU T.81, annex B: segments precede the frame header, which contains the size. */
function sizeOfJpeg(bytes: Buffer): ImageInfo | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    // The frame headers, except the tables DHT, JPG and DAC in the same range.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
