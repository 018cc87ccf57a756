import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { errorCode } from '../../integration/errors.ts';
import { readFrontmatter } from './frontmatter.ts';
import { importedFiles } from './snippets.ts';
import type { SourcePage } from './source.ts';

/** Larger pages are skipped and reported: they contain data rather than prose, and one slows down all others. */
export const largestPage = 5 * 1024 * 1024;

/** A Markdown or JSX file, before Carrel knows whether it is a page. */
export interface TextFile extends Omit<SourcePage, 'path' | 'kind'> {
  kind: 'mdx' | 'md' | 'jsx';
  imports: string[];
}

const kinds = ['mdx', 'md', 'jsx'] as const;

/** Reads the text files of a folder. Files that cannot be read or decoded are reported in `problems`. */
export function readTexts(root: string, files: string[], problems: Problem[]): TextFile[] {
  const texts: TextFile[] = [];
  for (const file of files) {
    const kind = kinds.find((one) => file.toLowerCase().endsWith(`.${one}`));
    if (!kind) continue;
    const bytes = readPage(join(root, file), file, problems);
    if (!bytes) continue;
    const text = decode(bytes, file, problems);
    const digest = hash('sha256', bytes, 'hex');
    if (kind === 'jsx') {
      texts.push({
        file,
        kind,
        digest,
        frontmatter: {},
        body: text,
        bodyLine: 0,
        imports: importedFiles(text, file),
      });
      continue;
    }
    const { problem, ...page } = readFrontmatter(text, file);
    if (problem) problems.push(problem);
    texts.push({ file, kind, digest, ...page, imports: importedFiles(page.body, file) });
  }
  return texts;
}

function readPage(path: string, file: string, problems: Problem[]): Buffer | null {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= largestPage) return bytes;
    problems.push({
      kind: 'page-too-large',
      severity: 'warning',
      page: file,
      message: `${file} is ${(bytes.length / 1024 / 1024).toFixed(1)} MB; pages over ${largestPage / 1024 / 1024} MB are skipped.`,
      hint: 'Split the page, or offer its content as a download.',
    });
  } catch (cause) {
    problems.push(notReadable(file, errorCode(cause)));
  }
  return null;
}

export function notReadable(file: string, code: string | undefined): Problem {
  return {
    kind: 'file-not-readable',
    severity: 'warning',
    page: file,
    message: `${file} cannot be read (${code}). It is skipped.`,
    hint: 'Check its name and its permissions.',
  };
}

/** Decodes UTF-8, or UTF-16 with a byte-order mark. Invalid bytes become "\uFFFD", so that the page is still shown. */
function decode(bytes: Buffer, file: string, problems: Problem[]): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  const line = text.slice(0, Math.max(text.indexOf('\uFFFD'), 0)).split('\n').length;
  const shown = encoding === 'utf-8' ? 'invalid bytes are shown as "\uFFFD"' : `it was read as ${encoding.toUpperCase()}`;
  problems.push({
    kind: 'page-not-utf8',
    severity: 'warning',
    page: file,
    line,
    message: `${file} is not UTF-8; ${shown}.`,
    hint: 'Save the file as UTF-8.',
  });
  return text;
}
