// Jest sends the errors of failed tests between processes as JSON. An error with a circular property, such as the request
// of an axios error, would end the whole run without a result.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
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
