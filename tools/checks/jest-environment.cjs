const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Node's environment of jest, with two changes. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    // Jest puts a Proxy before the globals of a test file, so that each `Uint8Array` or `parseInt` in a loop of a library costs
    // a call. An ordinary context has its own globals: a file that deploys contracts takes a seventh less processor time.
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }

  // Jest sends the errors of failed tests between processes as JSON. An error with a circular property, such as the request
  // of an axios error, would end the whole run without a result.
  async handleTestEvent(event) {
    if (event.name === 'test_done')
      event.test.errors = event.test.errors.map((entry) => [].concat(entry).map(withoutCircles));
  }
};

/** The error with its message and stack, and without properties that JSON cannot hold. */
function withoutCircles(error) {
  if (error === null || typeof error !== 'object') return error;
  try {
    JSON.stringify(error);
    return error;
  } catch {
    const plain = new Error(error.message);
    plain.name = error.name;
    plain.stack = error.stack;
    return plain;
  }
}
