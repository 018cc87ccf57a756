import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  linkSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { envelopeOf, readStatement } from '../../../integration/output/provenance.ts';
import { checkSignature, readPublicKeys } from '../../../integration/output/signature.ts';
import { provenanceOf } from '../../../src/signing/provenance.ts';
import { newSigningKey, openSigningKey, signatureOf } from '../../../src/signing/signing-key.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { installedProgram } from '../../support/debian-package.ts';
import { packBundle } from '../../support/pack-bundle.ts';
import { carrel, printedAddress, startCarrel } from '../cli/carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const minisign = installedProgram('minisign', 'minisign');
const password = 'Blåbærgrød';
const day = 86_400_000;
const file = Buffer.from('{"format":1}');
const none = async () => '';

async function signedBy(key: { secretFile: string }, now = new Date(), secret = password) {
  return signatureOf(file, 'carrel.json', { signer: await openSigningKey(key.secretFile, 'a.key', async () => secret), now });
}

const check = (text: string, publicFile: string) =>
  checkSignature(file, text, { keys: readPublicKeys(publicFile, 'a.pub'), where: 'site' });

test.each([undefined, password])('minisign accepts our signatures, and signs with our keys (password %s)', async (secret) => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const key = newSigningKey({ password: secret, now: new Date() });
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  write('carrel.json', file);
  write('a.key', key.secretFile);
  write('a.pub', key.publicFile);
  write('carrel.json.minisig', await signedBy(key, new Date(), secret));
  const run = (...args: string[]) =>
    execFileSync(minisign, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      ...(args[0] === '-Sm' && secret && { input: `${secret}\n` }),
    });
  expect(run('-Vm', 'carrel.json', '-P', key.publicKey)).toContain('Signature and comment signature verified');
  run('-Sm', 'carrel.json', '-s', 'a.key', '-x', 'theirs', ...(secret ? [] : ['-W']));
  expect(check(readFileSync(join(folder, 'theirs'), 'utf8'), key.publicFile)).toEqual({ keyId: key.id, time: expect.any(Date) });
});

test('a key of minisign signs, and a wrong password does not', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const made = spawnSync(minisign, ['-G', '-W', '-p', 'a.pub', '-s', 'a.key'], { cwd: folder });
  expect(made.status).toBe(0);
  const [secretFile, publicFile] = ['a.key', 'a.pub'].map((name) => readFileSync(join(folder, name), 'utf8')) as [string, string];
  expect(check(await signedBy({ secretFile }), publicFile).keyId).toMatch(/^[0-9A-F]{16}$/);
  const key = newSigningKey({ password, now: new Date() });
  await expect(signedBy(key, new Date(), 'wrong')).rejects.toMatchObject({
    code: 'SigningKeyInvalid',
    message: expect.stringContaining('password'),
  });
  await expect(openSigningKey(key.publicFile, 'a.pub', none)).rejects.toMatchObject({ code: 'SigningKeyInvalid' });
});

describe('whose signatures count', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  const key = newSigningKey({ now, days: 30 });
  const at = (days: number) => new Date(now.getTime() + days * day);
  const refused = (text: string, publicFile: string) => {
    try {
      return check(text, publicFile);
    } catch (error) {
      return `${(error as { code: string }).code}: ${(error as Error).message}`;
    }
  };

  test('those from before a key expired, and of a key that was not revoked', async () => {
    const signature = await signedBy(key, at(30));
    expect(check(signature, key.publicFile)).toEqual({ keyId: key.id, time: at(30) });
    await expect(signedBy(key, at(31))).rejects.toMatchObject({
      code: 'SigningFailed',
      message: expect.stringContaining('expired on 2026-07-01'),
    });
    const shorter = key.publicFile.replace('expires 2026-07-01', 'expires 2026-06-30');
    expect(refused(signature, shorter)).toContain(
      `SignatureNotTrusted: "site" is signed by the key ${key.id} on 2026-07-01, and the key expired on 2026-06-30`,
    );
    const revoked = key.publicFile.replace('expires', 'revoked 2026-06-03, expires');
    for (const text of [revoked, key.publicFile + revoked, revoked + key.publicFile])
      expect(refused(signature, text)).toContain(`by the key ${key.id}, which was revoked on 2026-06-03`);
  });

  test('not those of a clock that is wrong', async () => {
    await expect(signedBy(key, at(-2))).rejects.toMatchObject({
      code: 'SigningFailed',
      message: expect.stringContaining('The clock says 2026-05-30'),
    });
    const later = key.publicFile.replace('created 2026-06-01', 'created 2026-06-02');
    expect(refused(await signedBy(key, now), later)).toContain('before the key was made on 2026-06-02');
  });

  test('those of any key in a file of several, and not those of another', async () => {
    const [other, third] = [newSigningKey({ now }), newSigningKey({ now })];
    const signature = await signedBy(key, now);
    expect(check(signature, other.publicFile + key.publicFile).keyId).toBe(key.id);
    expect(refused(signature, other.publicFile + third.publicFile)).toContain(
      `SignatureNotTrusted: "site" is signed by the key ${key.id}, but the trusted keys are ${other.id}, ${third.id}`,
    );
    // Another key with the same ID.
    const forged = Buffer.from(other.publicKey, 'base64');
    Buffer.from(key.publicKey, 'base64').copy(forged, 2, 2, 10);
    expect(refused(signature, forged.toString('base64'))).toContain('SignatureInvalid');
  });

  test.each(['', 'RW', 'not a key\n', 'untrusted comment: only\n', `${key.publicKey.slice(0, -4)}`])('no key: %j', (text) => {
    expect(() => readPublicKeys(text, '"a.pub"')).toThrow(/"a\.pub" (?:is not|has no) /);
  });
});

test('what an export was made from names files of external origins without what may open them', async () => {
  const [started, finished] = [new Date(), new Date()];
  const remote = [{ url: 'https://cdn.example.com/a.png?X-Amz-Signature=secret#b', sha256: '00' }];
  const options = { source: temporaryFolder(), parameters: {}, environment: {}, started, finished };
  const { predicate } = await provenanceOf('{}', remote, options);
  expect(predicate.buildDefinition.resolvedDependencies).toEqual([
    { uri: 'https://cdn.example.com/a.png', digest: { sha256: '00' } },
  ]);
});

describe('a signed export', () => {
  let folder = '';
  let other = '';
  let keys = '';
  const run = (args: string[], env: NodeJS.ProcessEnv = {}) => carrel(args, { cwd: folder, env: { ...process.env, ...env } });

  beforeAll(async () => {
    folder = temporaryFolderOfAll();
    writeFiles(folder, { 'docs/index.md': '# Herons\n\nThey wait.\n', 'docs/a.md': '# Auks' });
    // Each use of a password takes half a second.
    expect(await run(['signing-key', 'new', 'a', '--no-password'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['export', 'docs', '--sign', 'a.key', '--zip', 'site.zip'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Check it:  minisign -Vm site/carrel.json -P RW'),
    });
    other = join(folder, 'other');
    writeFileSync(join(folder, 'docs/index.md'), '# Herons\n\nThey fly.\n');
    writeFileSync(join(folder, 'docs/b.md'), '# Storks');
    expect((await run(['export', 'docs', '--sign', 'a.key', '--out', other])).code).toBe(0);
    keys = join(folder, 'a.pub');
    return () => rmSync(folder, { recursive: true });
  });

  test('says who made it and when, and the same docs give the same bytes', async () => {
    const verified = await run(['verify', 'site.zip', '--public-key', keys]);
    expect(verified).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /Signed: +by the key [0-9A-F]{16} on 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\n[^]*Network: +its pages load nothing/,
      ),
    });
    expect(execFileSync(minisign, ['-Vm', 'site/carrel.json', '-p', keys], { cwd: folder, encoding: 'utf8' })).toContain(
      'verified',
    );
    const before = readFileSync(join(other, 'carrel.json.minisig'), 'utf8');
    expect((await run(['export', 'docs', '--sign', 'a.key', '--out', other])).code).toBe(0);
    expect(readFileSync(join(other, 'carrel.json.minisig'), 'utf8')).toBe(before);
    // Who signs no longer leaves no signature behind.
    cpSync(other, join(folder, 'unsigned'), { recursive: true });
    expect((await run(['export', 'docs', '--out', 'unsigned'])).code).toBe(0);
    expect(await run(['verify', 'unsigned'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed:    no') });
    expect(await run(['verify', 'unsigned', '--public-key', keys])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SignatureInvalid'),
    });
  });

  test('says from which commit it was made, with which options, and whether the folder was that of the commit', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
    git('init', '--quiet', '--initial-branch=main');
    git('remote', 'add', 'origin', 'https://user:secret@git.example.com/acme/docs.git');
    git('add', 'docs');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'First');
    const commit = git('rev-parse', 'HEAD');
    const made = ['export', 'docs', '--sign', 'a.key', '--out', 'made', '--deployment', 'air-gapped'];
    expect((await run(made)).code).toBe(0);
    const first = readFileSync(join(folder, 'made/carrel-provenance.json'), 'utf8');
    const envelope = JSON.parse(first) as { payload: string; payloadType: string; signatures: { sig: string }[] };
    const payload = Buffer.from(envelope.payload, 'base64');
    expect(JSON.parse(payload.toString())).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'carrel.json', digest: { sha256: hash('sha256', readFileSync(join(folder, 'made/carrel.json'))) } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { deployment: 'air-gapped' },
          resolvedDependencies: [
            {
              uri: 'git+https://git.example.com/acme/docs.git@main',
              digest: { gitCommit: commit },
              annotations: { isClean: true, folder: 'docs/' },
            },
          ],
        },
      },
    });
    // Another program checks the signature as DSSE says.
    const key = readFileSync(keys, 'utf8').split('\n')[1]!;
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'base64').subarray(10)]);
    const write = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes);
    write('key.der', der);
    write(
      'signed',
      Buffer.concat([Buffer.from(`DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `), payload]),
    );
    write('sig', Buffer.from(envelope.signatures[0]!.sig, 'base64'));
    const openssl = 'pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed -sigfile sig'.split(' ');
    expect(execFileSync('openssl', openssl, { cwd: folder, encoding: 'utf8' })).toContain('Verified Successfully');

    const verified = await run(['verify', 'made', '--public-key', keys]);
    expect(verified.stdout).toContain(`Source:    https://git.example.com/acme/docs.git@main, commit ${commit}\n`);
    expect((await run(made)).code).toBe(0);
    expect(readFileSync(join(folder, 'made/carrel-provenance.json'), 'utf8')).toBe(first);
    writeFileSync(join(folder, 'docs/new.md'), '# New');
    expect((await run(made)).code).toBe(0);
    rmSync(join(folder, 'docs/new.md'));
    const changed = await run(['verify', 'made', '--public-key', keys]);
    expect(changed.stdout).toContain(`commit ${commit}, with changes that are not in it\n`);
    // What one export says of itself counts for no other.
    writeFileSync(join(folder, 'made/carrel-provenance.json'), first);
    expect(await run(['verify', 'made', '--public-key', keys])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('carrel-provenance.json says something of another export'),
    });
  });

  test('says what it was made from only with the key that signed it', async () => {
    const root = join(temporaryFolder(), 'site');
    cpSync(join(folder, 'site'), root, { recursive: true });
    const file = join(root, 'carrel-provenance.json');
    const statement = readStatement(readFileSync(file, 'utf8'), readFileSync(join(root, 'carrel.json')))!;
    const long = Array.from({ length: 10_000 }, (_, index) => ({
      uri: `https://a.example/${index}`,
      digest: { sha256: 'a'.repeat(64) },
    }));
    statement.predicate.buildDefinition.resolvedDependencies.push(...long);
    const mine = await openSigningKey(readFileSync(join(folder, 'a.key'), 'utf8'), 'a.key', none);
    writeFileSync(file, envelopeOf(statement, mine.publicKey.id, mine.sign));
    expect((await run(['verify', root, '--public-key', keys, '--json'])).stdout).toContain('https://a.example/9999');
    const other = newSigningKey({ now: new Date() });
    const theirs = await openSigningKey(other.secretFile, 'b.key', none);
    writeFileSync(file, envelopeOf(statement, theirs.publicKey.id, theirs.sign));
    expect(await run(['verify', root, '--public-key', `${keys},${other.publicKey}`])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('carrel-provenance.json says something of another export'),
    });
  });

  test('names the hosts that its pages load from', async () => {
    mkdirSync(join(folder, 'remote'));
    const image = (host: string) => `![A heron](https://${host}/heron.png)\n`;
    writeFileSync(join(folder, 'remote/index.md'), `# A\n\n${image('cdn.example.com')}\n[Elsewhere](https://other.example.com)`);
    writeFileSync(join(folder, 'remote/b.md'), `# B\n\n${image('cdn.example.com')}${image('img.example.com')}`);
    expect((await run(['export', 'remote', '--out', 'remote-site'])).code).toBe(0);
    const { stdout } = await run(['verify', 'remote-site']);
    expect(stdout).toContain('Network:   cdn.example.com (2 pages, such as index.md), img.example.com (1 page, such as b.md)\n');
    expect((await run(['export', 'remote', '--out', 'remote-site', '--deployment', 'air-gapped'])).code).toBe(0);
    expect((await run(['verify', 'remote-site'])).stdout).toContain('Network:   its pages load nothing from other hosts\n');
  });

  test('lists the pages that differ from an earlier one', async () => {
    const { stdout } = await run(['verify', other, '--against', 'site.zip', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      isIntact: true,
      signature: { isTrusted: false },
      // The menu of the other page changed, but not its text.
      against: { added: [{ path: 'b', title: 'Storks' }], changed: [{ path: '', title: 'Herons' }], removed: [] },
    });
    expect((await run(['verify', other, '--against', 'site.zip'])).stdout).toContain(
      '1 added, 1 changed, 0 removed\n  + Storks (/b)\n  ~ Herons (/)',
    );
  });

  const edit = (name: string, change: (text: string) => string) => (root: string) =>
    writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8')));
  const tamperings: [string, (root: string) => void, string][] = [
    ['a bit of a page', (root) => flipBit(join(root, 'index.html')), 'bundle-file-changed'],
    ['a bit of the manifest', (root) => flipBit(join(root, 'carrel.json')), 'SignatureInvalid'],
    ['a bit of the signature', (root) => flipBit(join(root, 'carrel.json.minisig'), 60), 'Signature'],
    ['its comment', edit('carrel.json.minisig', (text) => text.replace('timestamp:1', 'timestamp:2')), 'SignatureInvalid'],
    [
      'other characters in it',
      edit('carrel.json.minisig', (text) => text.replace('\nRU', '\n!!R\0**U')),
      'its carrel.json.minisig is not a signature',
    ],
    ['a file more', (root) => writeFileSync(join(root, 'more.js'), 'alert(1)'), 'bundle-file-unlisted'],
    ['a file less', (root) => rmSync(join(root, 'llms.txt')), 'bundle-file-missing'],
    ['a file with another name', (root) => renameSync(join(root, 'llms.txt'), join(root, 'llms2.txt')), 'bundle-file-missing'],
    ['two files swapped', swap, 'bundle-file-changed'],
    ['the manifest of another', (root) => cpSync(join(other, 'carrel.json'), join(root, 'carrel.json')), 'SignatureInvalid'],
    [
      'the signature of another',
      (root) => cpSync(join(other, 'carrel.json.minisig'), join(root, 'carrel.json.minisig')),
      'SignatureInvalid',
    ],
    [
      'a new manifest that lists the change, with the old signature',
      (root) => {
        const next = edit('carrel.json', (text) => text.replace('"site":"', '"site":"Not '));
        next(root);
      },
      'SignatureInvalid',
    ],
    ['no settings', (root) => rmSync(join(root, 'carrel.config.js')), 'bundle-file-missing'],
    [
      'provenance that is too long to be checked',
      (root) => truncateSync(join(root, 'carrel-provenance.json'), 17 * 1024 * 1024),
      'carrel-provenance.json',
    ],
    ['settings that run', (root) => writeFileSync(join(root, 'carrel.config.js'), 'alert(1)'), 'bundle-file-changed'],
    ['a file cut off', (root) => truncateSync(join(root, 'index.html'), 100), 'bundle-file-changed'],
    ['no signature', (root) => rmSync(join(root, 'carrel.json.minisig')), 'is not signed'],
    [
      'a symbolic link',
      (root) => {
        rmSync(join(root, 'llms.txt'));
        symlinkSync('/etc/passwd', join(root, 'llms.txt'));
      },
      'bundle-entry-unsafe',
    ],
  ];

  test.each(tamperings)('with %s is refused, as a folder and as a zip, by verify and by serve', async (_, change, reason) => {
    const root = join(temporaryFolder(), 'site');
    cpSync(join(folder, 'site'), root, { recursive: true });
    change(root);
    // Node's own copy of a link is no file of the archive.
    const sources = reason === 'bundle-entry-unsafe' ? [root] : [root, `${root}.zip`];
    if (sources.length > 1) await packBundle(root, `${root}.zip`);
    for (const source of sources) {
      const verified = await run(['verify', source, '--public-key', keys]);
      expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining(reason)]);
      const served = await run(['serve', source, '--require-signature', keys, '--port', '0']);
      expect([served.code, served.stdout]).toEqual([1, '']);
      expect(served.stderr).not.toBe('');
    }
  });

  test('with bytes after its end is refused', async () => {
    const zip = join(temporaryFolder(), 'site.zip');
    cpSync(join(folder, 'site.zip'), zip);
    writeFileSync(zip, 'PK more', { flag: 'a' });
    expect(await run(['verify', zip, '--public-key', keys])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its end is followed by 7 bytes'),
    });
  });

  test('is served, and only with the right key', async () => {
    const { child, ended } = startCarrel(['serve', 'site.zip', '--require-signature', keys, '--port', '0'], { cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    const address = await printedAddress({ child, ended });
    expect(await (await fetch(address)).text()).toContain('They wait.');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect((await run(['signing-key', 'new', 'b', '--no-password'])).code).toBe(0);
    const refused = await run(['serve', 'site', '--require-signature', 'b.pub']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('SignatureNotTrusted')]);
  });

  test('is checked again whenever a file of its folder is read', async () => {
    const root = join(temporaryFolder(), 'site');
    cpSync(join(folder, 'site'), root, { recursive: true });
    const { child, ended } = startCarrel(['serve', root, '--require-signature', keys, '--port', '0'], { cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    const address = await printedAddress({ child, ended });
    const text = async (name: string) => (await fetch(address + name)).text();
    for (const name of ['index.html', 'llms.txt', 'carrel.config.js', 'carrel.json', 'carrel.json.minisig'])
      writeFileSync(join(root, name), readFileSync(join(root, name), 'utf8').replaceAll(/[a-z]/g, 'X'));
    writeFileSync(join(root, 'more.txt'), 'X');
    for (const [name, status] of [
      ['', 500],
      ['llms.txt', 500],
      ['more.txt', 404],
    ] as const)
      expect((await fetch(address + name)).status).toBe(status);
    for (const name of ['carrel.config.js', 'carrel.json', 'carrel.json.minisig'])
      expect(await text(name)).toBe(readFileSync(join(folder, 'site', name), 'utf8'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('stays signed where it is published, and one that is no longer signed leaves no signature', async () => {
    const publish = (source: string) => run(['publish', source, `file:${folder}/published`]);
    const verify = () => run(['verify', 'published', '--public-key', keys]);
    expect((await publish('site')).code).toBe(0);
    expect((await verify()).code).toBe(0);
    expect((await publish('site')).stdout).toContain('already');
    cpSync(join(folder, 'site'), join(folder, 'bare'), { recursive: true });
    rmSync(join(folder, 'bare/carrel.json.minisig'));
    expect((await publish('bare')).code).toBe(0);
    expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not signed') });
  });

  test('can be signed later, and only while it is whole', async () => {
    cpSync(join(folder, 'site'), join(folder, 'later'), { recursive: true });
    rmSync(join(folder, 'later/carrel.json.minisig'));
    expect((await run(['sign', 'later', '--key', 'a.key', '--zip', 'zips/later.zip'])).code).toBe(0);
    for (const made of ['later', 'zips/later.zip']) expect((await run(['verify', made, '--public-key', keys])).code).toBe(0);
    const config = join(folder, 'later/carrel.config.js');
    const exported = readFileSync(config, 'utf8');
    for (const change of [() => writeFileSync(config, `${exported}// mine`), () => rmSync(config)]) {
      change();
      expect(await run(['sign', 'later', '--key', 'a.key'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('its carrel.config.js is not the one that was exported'),
      });
    }
    writeFileSync(config, exported);
    flipBit(join(folder, 'later/index.html'));
    expect(await run(['sign', 'later', '--key', 'a.key'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was not signed'),
    });
  });

  test('says from which commit it was made, if it is signed with its source', async () => {
    cpSync(join(folder, 'site'), join(folder, 'built'), { recursive: true });
    for (const name of ['carrel.json.minisig', 'carrel-provenance.json']) rmSync(join(folder, 'built', name));
    const env = { CARREL_REPOSITORY: 'https://git.example.com/a.git', CARREL_COMMIT: 'c'.repeat(40) };
    const sign = () => run(['sign', 'built', '--key', 'a.key', '--source', 'docs'], env);
    expect((await sign()).code).toBe(0);
    const verified = await run(['verify', 'built', '--public-key', keys]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('git.example.com/a.git')]);
    const statement = readFileSync(join(folder, 'built/carrel-provenance.json'));
    expect((await sign()).code).toBe(0);
    expect(readFileSync(join(folder, 'built/carrel-provenance.json'))).toEqual(statement);
  });

  test('is whole after a signature that could not be written, and after one that was killed', async () => {
    cpSync(join(folder, 'site'), join(folder, 'tried'), { recursive: true });
    const [signature, draft] = ['carrel.json.minisig', '.carrel.json.minisig.new'].map((name) => join(folder, 'tried', name));
    rmSync(signature!);
    mkdirSync(signature!);
    const sign = () => run(['sign', 'tried', '--key', 'a.key']);
    expect((await sign()).code).toBe(1);
    expect(existsSync(draft!)).toBe(false);
    rmSync(signature!, { recursive: true });
    writeFileSync(draft!, 'untrusted');
    expect((await sign()).code).toBe(0);
    expect((await run(['verify', 'tried', '--public-key', keys])).code).toBe(0);
  });

  test('needs a key that others cannot read, a password, and no terminal', async () => {
    linkSync(join(folder, 'a.key'), join(folder, 'open.key'));
    chmodSync(join(folder, 'open.key'), 0o644);
    const open = await run(['export', 'docs', '--out', 'no', '--sign', 'open.key']);
    expect([open.code, open.stderr]).toEqual([
      1,
      expect.stringMatching(/Others on this machine may read .*\n.*chmod 600 open\.key/),
    ]);
    for (const [name, reason] of [
      ['a.pub', 'is not a secret key'],
      ['docs', 'could not be read'],
    ] as const)
      expect((await run(['export', 'docs', '--out', 'no', '--sign', name])).stderr).toContain(reason);
    chmodSync(join(folder, 'open.key'), 0o600);
    const secret = { CARREL_SIGNING_PASSWORD: password };
    expect((await run(['signing-key', 'new', 'locked'], secret)).code).toBe(0);
    expect((await run(['export', 'docs', '--out', 'yes', '--sign', 'locked.key'], secret)).code).toBe(0);
    expect((await run(['verify', 'yes', '--public-key', 'locked.pub'])).code).toBe(0);
    const asked = await run(['export', 'docs', '--out', 'no', '--sign', 'locked.key']);
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringContaining('Set the environment variable CARREL_SIGNING_PASSWORD.'),
    ]);
    expect((await run(['signing-key', 'new', 'a', '--no-password'])).stderr).toContain('"a.key" exists already.');
    expect((await run(['export', 'docs', '--out', 'no', '--sign-command', 'true'])).code).toBe(2);
  });

  test('can be signed by a command, whose signature is checked', async () => {
    const script = join(folder, 'sign.mjs');
    writeFileSync(
      script,
      `import { sign } from 'node:crypto'; import { readFileSync } from 'node:fs';
       process.stdout.write(sign(null, readFileSync(0), readFileSync('key.pem')).toString('base64'));`,
    );
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'key.pem'], { cwd: folder });
    const der = execFileSync('openssl', ['pkey', '-in', 'key.pem', '-pubout', '-outform', 'DER'], { cwd: folder }).subarray(-32);
    writeFileSync(join(folder, 'kms.pub'), Buffer.concat([Buffer.from('Ed12345678'), der]).toString('base64'));
    const command = ['--sign-command', `"${process.execPath}" sign.mjs`];
    expect((await run(['export', 'docs', '--out', 'kms', '--sign', 'kms.pub', ...command])).code).toBe(0);
    expect((await run(['verify', 'kms', '--public-key', 'kms.pub'])).code).toBe(0);
    for (const [given, reason] of [
      [['--sign', 'a.pub', ...command], 'is not one of the key'],
      [['--sign', 'kms.pub', '--sign-command', 'echo no >&2; exit 3'], 'ended with code 3: no'],
      [['--sign', 'kms.pub', '--sign-command', 'echo short'], 'which are no signature'],
    ] as const) {
      const failed = await run(['export', 'docs', '--out', 'failed', ...given]);
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
    expect((await run(['verify', 'failed'])).code).toBe(1);
  });
});

function temporaryFolderOfAll(): string {
  return execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
}

function flipBit(path: string, at?: number): void {
  const bytes = readFileSync(path);
  bytes[at ?? bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

function swap(root: string): void {
  renameSync(join(root, 'llms.txt'), join(root, 'x'));
  renameSync(join(root, 'index.md'), join(root, 'llms.txt'));
  renameSync(join(root, 'x'), join(root, 'index.md'));
}
