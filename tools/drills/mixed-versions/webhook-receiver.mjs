import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Verifies the webhooks of a merchant, and counts each message once. */
export class WebhookReceiver {
  /** Order ids by the type of the message. */
  received = new Map();
  faults = [];

  static async open() {
    const receiver = new WebhookReceiver();
    receiver.server = createServer((request, response) => void receiver.#receive(request, response));
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
    return receiver;
  }

  /** @param {string} secret */
  verifyBy(secret) {
    this.webhook = new Webhook(secret);
  }

  has(type, orderId) {
    return this.received.get(type)?.has(orderId) ?? false;
  }

  async #receive(request, response) {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      const { type, data } = this.webhook.verify(body, request.headers);
      if (!this.received.has(type)) this.received.set(type, new Set());
      this.received.get(type).add(data.order_id);
      response.end();
    } catch (error) {
      this.faults.push(error.message);
      response.writeHead(401).end();
    }
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
