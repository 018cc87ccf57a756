export interface ServerEvent {
  event: string;
  data: string;
}

/** Yields the complete server-sent events of a response and ignores comments. Calls `onBytes` for each chunk that arrives. */
export async function* readEvents(response: Response, onBytes: () => void = () => undefined): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of response.body ?? []) {
    onBytes();
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    // The text after the last blank line is an incomplete event.
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = eventOf(block);
      if (found) yield found;
    }
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]+)(?:: ?(.*))?$/.exec(line));
  const values = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []));
  const data = values('data');
  return data.length === 0 ? undefined : { event: values('event').at(-1) ?? 'message', data: data.join('\n') };
}
