// Preloaded into the apps: records when a request passes each point, by the clock that all processes share.
// SIGHUP writes the records to .tollbridge/bench-account/<pid>.json and clears them.
const { Module } = require('node:module');
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const directory = join(__dirname, '../../../.tollbridge/bench-account');

/** @type {[name: string, atUs: number][]} */
let marks = [];
const mark = (name) => marks.push([name, Number(process.hrtime.bigint() / 1_000n)]);

subscribe('http.server.request.start', () => mark('request'));
subscribe('http.server.response.finish', () => mark('response'));

/** Marks each call of a method. @param {(args: any[]) => string} nameOf */
function wrap(prototype, method, nameOf) {
  const original = prototype[method];
  prototype[method] = function (...args) {
    mark(nameOf(args));
    return original.apply(this, args);
  };
}

function markCalls({ BusClient, BusServer }) {
  wrap(BusClient.prototype, 'callBytes', ([{ name }]) => `call ${name}`);
  wrap(BusClient.prototype, 'settle', ([app]) => `reply ${app}`);
  wrap(BusServer.prototype, 'accept', ([{ subject }]) => `accept ${subject.split('.').at(-1)}`);
  wrap(BusServer.prototype, 'respond', () => 'respond');
}

function markStatements({ Client }) {
  const { query } = Client.prototype;
  Client.prototype.query = function (...args) {
    const name = args[0]?.name ?? 'other';
    mark(`statement ${name}`);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      args[args.length - 1] = (...results) => {
        mark(`result ${name}`);
        callback(...results);
      };
    const result = query.apply(this, args);
    result?.then?.(
      () => mark(`result ${name}`),
      () => undefined,
    );
    return result;
  };
}

const changes = new Map([
  ['@tollbridge/rpc', markCalls],
  ['pg', markStatements],
]);
const { _load: load } = Module;
Module._load = function (request, ...rest) {
  const exported = load.call(this, request, ...rest);
  const change = changes.get(request);
  changes.delete(request);
  change?.(exported);
  return exported;
};

process.on('SIGHUP', () => {
  writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(marks));
  marks = [];
});
