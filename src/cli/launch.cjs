#!/usr/bin/env node
// The entry point of `carrel`. It is CommonJS for every Node version, because an older Node would report a syntax error at the first import.
'use strict';

var version = process.versions.node;
var parts = version.split('.').map(Number);

if (parts[0] > 22 || (parts[0] === 22 && parts[1] >= 18)) {
  void import('./carrel.js');
} else {
  console.error('Carrel requires Node 22.18 or later; this is ' + version + '.');
  process.exitCode = 1;
}
