import type { AskThread } from './answer.ts';
import { assistantAddress, requestHeaders, type Asker } from './online.ts';
import type { AskServer } from './settings.ts';

export interface Feedback {
  thread: AskThread;
  messageId: string;
  rating: 'up' | 'down';
  comment?: string;
}

/** Sends what a reader thinks of an answer. Gives whether it arrived. */
export async function sendFeedback(
  server: AskServer,
  { fp }: Asker,
  { thread, messageId, rating, comment }: Feedback,
): Promise<boolean> {
  const body = {
    fp,
    threadId: thread.id,
    ...(thread.key ? { threadKey: thread.key } : {}),
    messageId,
    rating,
    ...(comment ? { comment } : {}),
  };
  try {
    const response = await fetch(assistantAddress(server, 'feedback'), {
      method: 'POST',
      headers: requestHeaders(server),
      body: JSON.stringify(body),
      credentials: 'omit',
    });
    return response.ok;
  } catch {
    return false;
  }
}
