import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { run } from '@tollbridge/bootstrap';
import { start } from './start';

// By default, V8 collects the whole heap after each growth of 10 %. Each collection would stall payments for 30 to 60
// ms, every one or two seconds (row `tollbridge: paid`).
setFlagsFromString('--heap-growing-percent=150');

run(() => start());
