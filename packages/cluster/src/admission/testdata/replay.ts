import { readFileSync } from 'node:fs'
import { readText, virtualHost } from 'setpoint/host'
import { createCluster } from '../../cluster/index.ts'

/** A write that was sent to a real server, and what it said; only those with a case are compared. */
export interface RecordedWrite {
  readonly case?: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly type?: string
  readonly code: number
  readonly answer?: object
  /** Of a refusal. */
  readonly message?: string
  readonly warnings?: readonly string[]
  /** Paths of the answer (with dots) that matter, and what is there. */
  readonly keep?: readonly string[]
  readonly kept?: object
}

/** What the comparison is about. */
export interface Outcome {
  readonly code: number
  readonly answer: unknown
}

/** What recordings compare that are not about whole answers. */
type Words = Pick<RecordedWrite, 'code' | 'message' | 'warnings' | 'kept'>

/** The words in a recording. */
export function wordsOf({ code, message, warnings = [], kept }: Words): object {
  return { code, message, warnings, kept }
}

/** Sends the writes as `replay` does, and gives the words of the answers. */
export async function replayWords(writes: readonly RecordedWrite[]): Promise<object[]> {
  return (await sendAll(writes)).map(wordsOf)
}

/** Sends the writes, in order, to a fresh cluster that has the namespace of the recording. */
export async function replay(writes: readonly RecordedWrite[]): Promise<Outcome[]> {
  return (await sendAll(writes)).map(({ code, answer }) => ({ code, answer }))
}

/** Reads a recording with one write per line. */
export function readWrites(file: URL): RecordedWrite[] {
  const text = readFileSync(file, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedWrite)
}

type Sent = Outcome & Words

async function sendAll(writes: readonly RecordedWrite[]): Promise<Sent[]> {
  const host = virtualHost({ seed: 'replay' })
  const cluster = await createCluster({ host, auth: 'off', tls: 'off', workloads: 'off' })
  const send = async (write: Omit<RecordedWrite, 'code'>): Promise<Sent> => {
    const response = await host.request({
      method: write.method,
      url: cluster.url + write.path,
      headers: { 'content-type': write.type ?? 'application/json' },
      ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
    })
    const text = await readText(response.body, 10_000_000)
    const answer = JSON.parse(text) as { readonly message?: string }
    const warning = response.headers['warning']?.toString() ?? ''
    return {
      code: response.status,
      answer,
      warnings: [...warning.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(
        ([, quoted = '""']) => JSON.parse(quoted) as string,
      ),
      ...(response.status < 400 ? {} : { message: answer.message ?? '' }),
      ...(write.keep === undefined || response.status >= 400
        ? {}
        : { kept: keptParts(answer, write.keep) }),
    }
  }
  const metadata = { name: 'admission' }
  await send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata } })
  const accounts = '/api/v1/namespaces/admission/serviceaccounts'
  await send({ method: 'POST', path: accounts, body: { metadata: { name: 'default' } } })
  const outcomes: Sent[] = []
  for (const write of writes) {
    const { code, answer, ...words } = await send(write)
    const compared = { answer: code < 400 ? essence(answer) : answer, ...words }
    outcomes.push({ code, ...(masked(compared) as Omit<Sent, 'code'>) })
  }
  await cluster.dispose()
  host.stop()
  return outcomes
}

function keptParts(answer: object, paths: readonly string[]): object {
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], answer)
  return Object.fromEntries(paths.map((path) => [path, valueAt(path)]))
}

/** Of an accepted object: what admission and completion have a hand in. */
function essence(answer: unknown): object {
  const { metadata, spec } = answer as { metadata?: { annotations?: object }; spec?: object }
  const annotations = metadata?.annotations
  return { ...(annotations === undefined ? {} : { annotations }), spec }
}

/** Names that are made up differ each time. */
function masked(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access-X')
    .replace(/gen-[a-z0-9]{5}/g, 'gen-XXXXX')
  return JSON.parse(text)
}
