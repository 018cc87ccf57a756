// The one setting of the bundler for what runs in a reader's browser: our theme's reader, and search and ask in any site.
import { build, type Rolldown } from 'vite';

/** What an entry becomes, in memory: scripts minified, for browsers of 2022 and later. */
export async function bundle(
  options: Rolldown.RolldownOptions,
  define: Record<string, string> = {},
): Promise<Rolldown.RolldownOutput['output']> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    base: './',
    publicDir: false,
    define,
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      target: 'es2022',
      cssTarget: 'chrome123',
      rolldownOptions: options,
    },
  });
  return (Array.isArray(result) ? result[0] : (result as Rolldown.RolldownOutput))!.output;
}

// file:// refuses module scripts, so every script is a classic one in a single file.
/** A module and all that it imports, as one classic script. `define` fills in names that it declares. Throws when it would become several. */
export async function bundleScript(entry: string, define: Record<string, string> = {}): Promise<string> {
  const output = await bundle({ input: entry, output: { format: 'iife', codeSplitting: false } }, define);
  const code = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  if (code.length !== 1) throw new Error(`${entry} became ${code.length} scripts instead of one.`);
  return code[0]!;
}
