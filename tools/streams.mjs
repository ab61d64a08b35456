// Lists or deletes the event streams, for operators: npm run streams -- list | delete --yes (docs/operations/backup.md)
import { runStreams } from './local/streams-command.mjs';

process.exitCode = await runStreams(process.argv.slice(2));
