// One way for all libraries to try a process of its own; it is no part of what libs/platform/observability offers to apps.
// eslint-disable-next-line @nx/enforce-module-boundaries
export { runProgram, type Child } from '../../../observability/src/testing/child';
