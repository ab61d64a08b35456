// Limit 2: a plain NATS responder.
import { connect } from 'nats';
import { connectOptions } from '../nats-options.mjs';

const [url, subject, text] = process.argv.slice(2);
const nats = await connect(connectOptions(url));
const bytes = Buffer.from(text);
nats.subscribe(subject, { callback: (_error, message) => message.respond(bytes) });
await nats.flush();
process.send({ ready: true });
