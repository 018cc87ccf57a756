#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { defaultCacheFolder } from '../cache/folder.ts';

// Compiled code is kept between runs: without, loading it takes longer than exporting a small site anew.
enableCompileCache(join(defaultCacheFolder(process.env), 'code'));

const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
