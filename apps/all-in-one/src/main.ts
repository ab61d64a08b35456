import 'reflect-metadata';
import { run } from '@tollbridge/bootstrap';
import { connectAppsOfProcess } from '@tollbridge/rpc';
import { start } from './start';

connectAppsOfProcess();
run(() => start());
