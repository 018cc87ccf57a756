// VS Code → `carrel lsp`: starts it for a workspace with docs, and ends it with the workspace.
import { workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const files = ['**/*.{md,mdx}', '**/{docs,mint}.json'];

export async function activate(context: ExtensionContext): Promise<void> {
  const settings = workspace.getConfiguration('carrel');
  const folder = settings.get('folder', '');
  // Other Markdown in a workspace is not meant as docs.
  if (folder === '' && (await workspace.findFiles(files[1]!, '**/node_modules/**', 1)).length === 0) return;
  const path = settings.get('path', '');
  const client = new LanguageClient(
    'carrel',
    'Carrel',
    {
      command: path || 'npx',
      args: [...(path ? [] : ['--no', 'carrel']), 'lsp', ...(folder ? [folder] : [])],
      // On Windows, npx is a script. With --no it never downloads a package.
      options: { cwd: workspace.workspaceFolders?.[0]?.uri.fsPath, shell: process.platform === 'win32' },
    },
    { documentSelector: files.map((pattern) => ({ scheme: 'file', pattern })) },
  );
  context.subscriptions.push({ dispose: () => client.stop() });
  await client.start();
}
