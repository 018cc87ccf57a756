// Reads the UI message stream that the assistant sends: server-sent events with one JSON object each.

/** What is read of the stream's objects; there is more in them. */
export interface StreamEvent {
  type: string;
  delta?: string;
  messageId?: string;
  messageMetadata?: unknown;
  sourceId?: string;
  url?: string;
  title?: string;
  providerMetadata?: Record<string, Record<string, unknown> | undefined>;
  data?: unknown;
  errorText?: string;
  threadId?: string;
}

/** The objects in a body, as they come. Comments, other fields and data that is no JSON object with a type are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split(/\r\n|\n|\r(?!$)/);
      // A body that was cut off ends within an event, which is no event then.
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        if (line !== '' || data.length === 0) continue;
        const event = parse(data.join('\n'));
        data = [];
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    // Whoever stops reading ends the answer, too.
    await reader.cancel().catch(() => {});
  }
}

function parse(text: string): StreamEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && typeof (value as StreamEvent).type === 'string'
      ? (value as StreamEvent)
      : undefined;
  } catch {
    return undefined; // `[DONE]`
  }
}
