import { Injectable } from '@nestjs/common';
import type { ListResourcesResult, ListResourceTemplatesResult } from '@modelcontextprotocol/server';
import { ordersApi } from '@tollbridge/contracts';
import type { Operation } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import { Guides } from '../site/guides';
import { ToolCalls } from './tool-calls';

const docsPrefix = 'tollbridge://docs/';
export const ordersPrefix = 'tollbridge://orders/';
const { getOrder } = ordersApi.operations;

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

/** The resources of MCP: guides and references as Markdown, and orders as JSON. */
@Injectable()
export class McpResources {
  constructor(
    private readonly guides: Guides,
    private readonly calls: ToolCalls,
  ) {}

  list(): ListResourcesResult['resources'] {
    return this.guides.all.map(({ slug, title, summary, markdown }) => ({
      uri: `${docsPrefix}${slug}`,
      name: slug,
      title,
      description: summary,
      mimeType: 'text/markdown',
      size: Buffer.byteLength(markdown),
    }));
  }

  templates(): ListResourceTemplatesResult['resourceTemplates'] {
    return [
      {
        uriTemplate: `${ordersPrefix}{id}`,
        name: 'order',
        title: 'An order',
        description: 'The state of an order, with its payment and confirmations',
        mimeType: 'application/json',
      },
    ];
  }

  /** Undefined when no resource has this URI. */
  async read(uri: string, caller: FastifyRequest): Promise<ResourceText | undefined> {
    if (uri.startsWith(docsPrefix)) {
      const guide = this.guides.find(uri.slice(docsPrefix.length));
      return guide && { uri, mimeType: 'text/markdown', text: guide.markdown };
    }
    if (!uri.startsWith(ordersPrefix)) return undefined;
    const id = uri.slice(ordersPrefix.length);
    if (!/^[\w-]{1,64}$/.test(id)) return undefined;
    const reply = await this.calls.call(getOrder as Operation, { id }, caller);
    return reply.isError
      ? undefined
      : { uri, mimeType: 'application/json', text: JSON.stringify(reply.structuredContent) };
  }
}
