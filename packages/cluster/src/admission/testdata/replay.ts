import { readFileSync } from 'node:fs'
import { readText, virtualHost } from 'setpoint/host'
import { createCluster } from '../../cluster/index.ts'

/**
 * A write that was sent to a real server, with its answer. Only writes with a `case` are compared.
 */
export interface RecordedWrite {
  readonly case?: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly type?: string
  readonly code: number
  readonly answer?: object
  /** The message of a refusal. */
  readonly message?: string
  readonly warnings?: readonly string[]
  /** The paths of the answer (with dots) that are compared, and their values. */
  readonly keep?: readonly string[]
  readonly kept?: object
}

/** The compared parts of a whole answer. */
export interface Outcome {
  readonly code: number
  readonly answer: unknown
}

/** The compared parts of an answer, in recordings without whole answers. */
type Summary = Pick<RecordedWrite, 'code' | 'message' | 'warnings' | 'kept'>

/** The compared parts of a recorded write. */
export function summaryOf({ code, message, warnings = [], kept }: Summary): object {
  return { code, message, warnings, kept }
}

/** Sends the writes as `replay` does, and returns the summaries of the answers. */
export async function replaySummaries(writes: readonly RecordedWrite[]): Promise<object[]> {
  return (await sendAll(writes)).map(summaryOf)
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

type Sent = Outcome & Summary

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
    const { code, answer, ...summary } = await send(write)
    const compared = { answer: code < 400 ? relevantParts(answer) : answer, ...summary }
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

/** The fields of an accepted object that admission may set. */
function relevantParts(answer: unknown): object {
  const { metadata, spec } = answer as { metadata?: { annotations?: object }; spec?: object }
  const annotations = metadata?.annotations
  return { ...(annotations === undefined ? {} : { annotations }), spec }
}

/** Replaces generated names, which differ each time. */
function masked(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access-X')
    .replace(/gen-[a-z0-9]{5}/g, 'gen-XXXXX')
  return JSON.parse(text)
}
