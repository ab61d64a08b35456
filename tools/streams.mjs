// Provisions, lists or deletes the event streams, for operators: npm run streams -- apply | list | delete --yes
import { runStreams } from './local/streams-command.mjs';

process.exitCode = await runStreams(process.argv.slice(2));
