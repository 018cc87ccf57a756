// Loaded before the export of a process, into each of its threads: writes what the export reads of a site, and how much it tokenizes.
import fs, { appendFileSync, type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Tokenizer } from 'htmlparser2';

const { SITE: site = '', WORK: log = '' } = process.env;
const note = (kind: 'read' | 'tokenized', what: string | number) => appendFileSync(log, `${JSON.stringify([kind, what])}\n`);
const noteFile = (path: PathLike | number) => {
  if (typeof path === 'string' && path.startsWith(site)) note('read', path.slice(site.length + 1));
};

const { openSync, readFileSync } = fs;
Object.assign(fs, {
  openSync(...given: Parameters<typeof openSync>) {
    noteFile(given[0]);
    return openSync(...given);
  },
  readFileSync(...given: Parameters<typeof readFileSync>) {
    noteFile(given[0]);
    return readFileSync(...given);
  },
});
syncBuiltinESMExports();

const { write } = Tokenizer.prototype;
Tokenizer.prototype.write = function (text) {
  note('tokenized', text.length);
  write.call(this, text);
};
