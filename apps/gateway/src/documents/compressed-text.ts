import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { varyBy } from '../http/vary';

type Encoding = 'br' | 'gzip' | 'identity';
const preferred = ['br', 'gzip'] as const;

// Within 5% of the best compression, in a tenth of the time.
const brotliQuality = 6;
const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body),
  identity: async (body) => body,
};

/**
 * Sends a text with the best encoding that the client accepts.
 * @param reply the reply with its status and other headers; `vary` is extended
 */
export async function sendCompressed(reply: FastifyReply, text: string): Promise<FastifyReply> {
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding']);
  varyBy(reply, 'Accept-Encoding');
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await compressors[encoding](Buffer.from(text)));
}

/** A constant text that is compressed once for each encoding, at the first request that accepts the encoding. */
export class CompressedText {
  private readonly body: Buffer;
  private readonly digest: string;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    text: string | Buffer,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.body = Buffer.from(text);
    this.digest = createHash('sha256').update(this.body).digest('base64url').slice(0, 22);
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = acceptedEncoding(headers['accept-encoding']);
    const tag = `"${this.digest}-${encoding}"`;
    reply.headers(this.headers).header('vary', 'Accept-Encoding').header('etag', tag);
    if (namesTag(headers['if-none-match'], tag)) return reply.status(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(await this.encoded(encoding));
  }

  private encoded(encoding: Encoding): Promise<Buffer> {
    const cached = this.compressed.get(encoding);
    if (cached) return cached;
    const body = compressors[encoding](this.body);
    this.compressed.set(encoding, body);
    return body;
  }
}

/** Implements RFC 9110, section 12.5.3, but does not compare weights other than 0. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', weight = ''] = item.split(';').map((part) => part.trim());
        return [name, Number(/^q=([\d.]+)$/.exec(weight)?.[1] ?? 1)];
      }),
  );
  return preferred.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0) ?? 'identity';
}

function namesTag(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  return named.includes(tag) || named.includes('*');
}
