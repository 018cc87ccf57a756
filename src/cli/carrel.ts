#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { defaultCacheFolder } from '../cache/folder.ts';

// Compiled code is kept between runs: without, loading it takes longer than exporting a small site anew.
enableCompileCache(join(defaultCacheFolder(process.env), 'code'));

// Pages come and go by the thousand; left to itself the heap doubles before it is swept. The memory saved costs no measurable time.
setFlagsFromString('--heap-growing-percent=20');

const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
