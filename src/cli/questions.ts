import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from './usage.ts';

const line = z.object({
  question: z.string().min(1),
  /** Path of the page that answers the question, or of several; null if the docs do not answer it. */
  page: z.union([z.string(), z.array(z.string()).min(1), z.null()]),
  language: z.string().min(1).optional(),
  docsVersion: z.string().min(1).optional(),
});

/** A question with the pages that answer it, if any. */
export interface ExpectedAnswer {
  question: string;
  pages: string[];
  language?: string | undefined;
  docsVersion?: string | undefined;
}

/** Reads questions, one JSON object per line. Throws a UsageError that names the first invalid line. */
export async function readQuestions(file: string): Promise<ExpectedAnswer[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read "${file}": ${cause.code ?? cause.message}.`, 'Name a file with questions.');
  });
  const questions = text.split('\n').flatMap((content, at): ExpectedAnswer[] => {
    if (content.trim() === '') return [];
    const read = line.safeParse(parsed(content));
    if (!read.success)
      throw new UsageError(
        `Line ${at + 1} of "${file}" is not a question with a page: ${content.slice(0, 80)}`,
        'Write each line as {"question": "How do I install it?", "page": "guides/install"}, with "page": null if the docs do not answer it.',
      );
    const { page, ...rest } = read.data;
    return [{ ...rest, pages: (page === null ? [] : [page].flat()).map((path) => path.replace(/^\/+|\/+$|#.*$/g, '')) }];
  });
  if (questions.length === 0) throw new UsageError(`"${file}" contains no questions.`, 'Write one JSON object per line.');
  return questions;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
