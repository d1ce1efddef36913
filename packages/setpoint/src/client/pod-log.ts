import type { LogOptions } from './transport/call-options.ts'
import type { ObjectPlace } from './object-ref.ts'
import type { Transport } from './transport/transport.ts'
import { splitLines } from './transport/split-lines.ts'

/** The lines of a container's log. */
export async function* logLines(
  transport: Transport,
  { namespace, name }: ObjectPlace,
  options: LogOptions,
): AsyncGenerator<string, void, undefined> {
  const { container, follow, previous, timestamps } = options
  const { tailLines, sinceSeconds, sinceTime, limitBytes } = options
  const stream = await transport.stream({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}/log`,
    query: {
      container,
      follow,
      previous,
      timestamps,
      tailLines,
      sinceSeconds,
      sinceTime,
      limitBytes,
    },
    headers: { accept: 'text/plain, application/json' },
    what: `log of Pod ${namespace}/${name}`,
    signal: options.signal,
    timeout: options.timeout,
  })
  const text = new TextDecoder()
  for await (const line of splitLines(stream.body)) yield text.decode(line)
}
