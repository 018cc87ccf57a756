#!/usr/bin/env node
// What `carrel` starts: CommonJS that every Node reads, since an older one would end at the first import with an error of syntax.
'use strict';

var version = process.versions.node;
var parts = version.split('.').map(Number);

if (parts[0] > 22 || (parts[0] === 22 && parts[1] >= 18)) {
  import('./carrel.js');
} else {
  console.error('Carrel needs Node 22.18 or newer; this is ' + version + '.');
  process.exitCode = 1;
}
