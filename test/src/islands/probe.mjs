// Tries everything that a sandbox must refuse, and answers with what happened.
import { createInterface } from 'node:readline';

const attempts = {
  read: async (file) => (await import('node:fs')).readFileSync(file, 'utf8'),
  write: async (file) => (await import('node:fs')).writeFileSync(file, 'x'),
  connect: async (port) => {
    const { connect } = await import('node:net');
    return new Promise((resolve, reject) => connect(port, '127.0.0.1', () => resolve('connected')).on('error', reject));
  },
  connectFile: async (path) => {
    const { connect } = await import('node:net');
    return new Promise((resolve, reject) => connect(path, () => resolve('connected')).on('error', reject));
  },
  resolve: async (name) => (await import('node:dns')).promises.resolve(name),
  spawn: async (command) => (await import('node:child_process')).execFileSync(command),
  thread: async (code) => new (await import('node:worker_threads')).Worker(code, { eval: true }),
  echo: async (text) => text,
  environment: async () => JSON.stringify(process.env),
  loop: async () => {
    for (;;);
  },
  wait: async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25_000),
  waitInAssembly: async () => {
    // (memory 1 1 shared) (func (export "w") (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1))))
    const program = '0061736d0100000001040160000003020100050401030101070501017700000a0f010d0041004100427ffe0102001a0b';
    new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(program, 'hex'))).exports.w();
  },
  fill: async () => {
    const all = [];
    for (;;) all.push(new Uint8Array(20_000_000).fill(1));
  },
  grow: async () => {
    const all = [];
    for (;;) all.push(Array.from({ length: 100_000 }, () => ({})));
  },
  end: async () => process.exit(),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const [name, argument] = JSON.parse(line);
  const answer = await attempts[name](argument).then(
    (value) => ({ value: String(value) }),
    ({ code, message }) => ({ refused: code ?? message }),
  );
  process.stdout.write(
    `${JSON.stringify(answer).replace(/[\u2028\u2029]/g, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'))}\n`,
  );
});
process.stdout.write('ready\n');
