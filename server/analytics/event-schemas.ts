// The events that pages send, as they arrive.
import { z } from '@hono/zod-openapi';

// Cut on arrival: a longer one is accepted.
const text = z.string().min(1, { error: 'must not be empty' });
const path = z.string().openapi({ description: 'Path of a page of the site.', example: 'guides/install' });

const viewSchema = z
  .object({
    type: z.literal('view'),
    path: path.openapi({ description: 'Path of the page; one that the site does not have is recorded as not found.' }),
    referrer: z
      .string()
      .nullish()
      .openapi({ description: 'Origin that the reader comes from; a path is dropped.', example: 'https://www.example.com' }),
  })
  .openapi({ title: 'view', description: 'A reader opens a page.' });

const searchSchema = z
  .object({
    type: z.literal('search'),
    query: text.openapi({ description: 'Cut after 200 characters.', example: 'install' }),
    hits: z.int().min(0).max(1_000_000).openapi({ description: 'Number of results.' }),
    clicked: path.nullish().openapi({ description: 'Page of the result that the reader opened.' }),
  })
  .openapi({ title: 'search', description: 'A reader searches.' });

const questionSchema = z
  .object({
    type: z.literal('question'),
    query: text.openapi({ description: 'The question, cut after 200 characters.', example: 'How do I install it?' }),
    answer: z
      .enum(['model', 'quotes', 'none'], { error: 'must be model, quotes or none' })
      .openapi({ description: 'Who answered; `none` if the docs have no answer.' }),
    path: path.nullish().openapi({ description: 'Page on which the reader asked.' }),
  })
  .openapi({ title: 'question', description: 'A reader asks the assistant.' });

const pageFeedbackSchema = z
  .object({
    type: z.literal('page_feedback'),
    path,
    helpful: z.boolean(),
    comment: z.string().max(1000).nullish(),
  })
  .openapi({
    title: 'page_feedback',
    description:
      'A reader says whether a page helped. A later one of the same visitor on the same day replaces it, and keeps its comment unless it has one.',
  });

const eventSchema = z
  .discriminatedUnion('type', [viewSchema, searchSchema, questionSchema, pageFeedbackSchema], {
    error: 'must be an object whose type is view, search, question or page_feedback',
  })
  .openapi('ReaderEvent');

export type ReaderEvent = z.output<typeof eventSchema>;

export const eventsSchema = z
  .object({
    events: z.array(eventSchema).min(1).max(20),
    key: z.string().optional().openapi({ description: 'On a private site: the token of the page, which only its readers have.' }),
  })
  .openapi('ReaderEvents', { example: { events: [{ type: 'view', path: 'guides/install' }] } as never });
