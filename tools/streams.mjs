// Provisions, lists or deletes the event streams, for operators: npm run streams -- apply | list | delete --yes
import { runStreams } from './local/streams-command.mjs';

await runStreams();
