/** Something with connections: closing it ends every question that is under way. */
interface Closable {
  close(): unknown;
}

/**
 * Runs `deed` with a client that is closed at its end, and at once when `signal` aborts: a server that
 * hangs must not keep Ctrl-C waiting. Throws the signal's reason then, whatever the deed made of it.
 */
export async function closedAtSignal<C extends Closable, T>(
  client: C,
  signal: AbortSignal,
  deed: (client: C) => Promise<T>,
): Promise<T> {
  const close = (): void => void client.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    return await deed(client);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
    await client.close();
  }
}
