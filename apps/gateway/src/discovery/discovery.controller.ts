import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { decode, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { CompressedText } from '../documents/compressed-text';
import { repetitionCheck } from '../operations/input-readers';
import { Guides } from '../site/guides';
import { DiscoveryQuery } from './discovery.routes';
import { apiCatalog, llmsFullText, llmsText } from './llms-text';
import { SoldResources, type SoldResource } from './sold-resources';

const maxAge = 'public, max-age=300';
const rejectRepeated = repetitionCheck(DiscoveryQuery);
const markdown = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': maxAge };

/** Documents that programs read to discover the API and the sold resources. */
@Controller()
export class DiscoveryController {
  private readonly llms: CompressedText;
  private readonly llmsFull: CompressedText;
  private readonly catalog: CompressedText;

  constructor(
    private readonly sold: SoldResources,
    guides: Guides,
    @Inject(ServiceConfig) { GATEWAY_PUBLIC_URL: url }: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {
    const base = url.replace(/\/+$/, '');
    this.llms = new CompressedText(llmsText(base, guides.all), markdown);
    this.llmsFull = new CompressedText(llmsFullText(base, guides.all), markdown);
    const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
    // RFC 9727, section 2, requires the link in replies to HEAD.
    const link = `<${base}/.well-known/api-catalog>; rel="api-catalog"`;
    const headers = { 'content-type': type, 'cache-control': maxAge, link };
    this.catalog = new CompressedText(JSON.stringify(apiCatalog(base)), headers);
  }

  @Get('discovery/resources')
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    rejectRepeated(request.query);
    const read = decode(DiscoveryQuery, request.query, { fromText: true });
    if (!read.ok) throw DomainError.invalid(read.errors);
    const { limit, offset } = read.value;
    const matching = (await this.sold.list()).filter((item) => matches(item, read.value));
    void reply.send({
      x402Version: 2,
      items: matching.slice(offset, offset + limit),
      pagination: { limit, offset, total: matching.length },
    });
  }

  @Get('llms.txt')
  async readLlms(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.llms.send(request, reply);
  }

  @Get('llms-full.txt')
  async readLlmsFull(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.llmsFull.send(request, reply);
  }

  @Get('.well-known/api-catalog')
  async readApiCatalog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.catalog.send(request, reply);
  }
}

function matches(item: SoldResource, { type, payTo, scheme, network, extensions }: DiscoveryQuery): boolean {
  if (type !== undefined && item.type !== type) return false;
  if (extensions !== undefined && !Object.hasOwn(item.extensions, extensions)) return false;
  // A single offer must match all parameters, because a buyer pays with one offer.
  return item.accepts.some(
    (offer) =>
      (payTo === undefined || isSameAddress(String(offer['payTo']), payTo)) &&
      (scheme === undefined || offer['scheme'] === scheme) &&
      (network === undefined || offer['network'] === network),
  );
}

/** The case of a hexadecimal address is only a checksum. In other addresses the case is significant. */
const isSameAddress = (one: string, other: string): boolean =>
  one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other;
