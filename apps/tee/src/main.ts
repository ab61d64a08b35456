import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { run } from '@tollbridge/bootstrap';
import { start } from './start';

// V8 would look through the whole heap whenever it has grown by a tenth, each second or two, and all payments wait 30 to
// 60 ms meanwhile.
setFlagsFromString('--heap-growing-percent=150');

run(() => start());
