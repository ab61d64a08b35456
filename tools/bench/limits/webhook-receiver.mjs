// Accepts every webhook immediately, and reports when the expected number has arrived.
import { createServer } from 'node:http';

let expected = 0;
let arrivedMs = [];
process.on('message', ({ expect }) => {
  [expected, arrivedMs] = [expect, []];
});
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    arrivedMs.push(Date.now());
    response.end();
    if (arrivedMs.length === expected) process.send({ arrivedMs });
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/` }));
