/** Path prefixes of sources that are not published: they compile the theme and the reader's scripts, and build the manual. */
export const unpublished = {
  src: [
    'elements',
    'islands/runtime/b',
    'islands/runtime/modules',
    'lsp/vscode',
    'theme/adapter',
    'theme/build',
    'theme/drawing',
    'theme/entry',
    'export/docs-folder',
  ],
  integration: ['reader-build/build-reader-scripts', 'reader-build/bundle'],
  server: [],
};
