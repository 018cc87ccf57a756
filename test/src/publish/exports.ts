import { folderOf, manifestOf } from '../../integration/output/archives.ts';

/** Files of a small export of one page, with an asset for each kind of caching. */
export function filesOf(text: string, more: Record<string, string> = {}): Record<string, string> {
  const files: Record<string, string> = {
    'index.html': `<script src="_carrel/reader.1a2b3c4d.js"></script><p>${text}</p>`,
    'guide/index.html': '<p>Guide</p>',
    'guide.md': '# Guide',
    '_carrel/reader.1a2b3c4d.js': '// script',
    '_carrel/site.js': '// site',
    'images/a b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ...more,
  };
  return { ...files, 'carrel.json': manifestOf(files, text), 'carrel.config.js': '// settings of the export' };
}

export function exportOf(text: string, more?: Record<string, string>): string {
  return folderOf(filesOf(text, more));
}
