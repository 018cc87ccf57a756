import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** Answers every look-up of a name in this test, by `node:dns` and by connections; undefined is a name that does not exist. */
export function fakeNames(addressOf: (name: string) => string | undefined): void {
  const found = (name: string) => {
    const address = isIP(name) ? name : addressOf(name);
    if (address === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    return [{ address, family: isIP(address) }];
  };
  const lookup = (name: string, { all }: { all?: boolean }, done: (error: unknown, ...found: unknown[]) => void) => {
    try {
      const [first] = found(name);
      if (all) done(null, [first]);
      else done(null, first?.address, first?.family);
    } catch (error) {
      done(error);
    }
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  vi.spyOn(dns.promises, 'lookup').mockImplementation((async (name: string) =>
    found(name)) as unknown as typeof dns.promises.lookup);
  // Modules import these by name.
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}
