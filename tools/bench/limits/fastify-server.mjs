// Limit 1: Fastify alone, with a reply of the size of an order.
import Fastify from 'fastify';

const reply = JSON.parse(process.argv[2]);
const server = Fastify();
server.get('/order', () => reply);
await server.listen({ port: 0, host: '127.0.0.1' });
process.send({ url: `http://127.0.0.1:${server.server.address().port}/order` });
