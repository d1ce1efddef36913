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
}

/** What the comparison is about. */
export interface Outcome {
  readonly code: number
  readonly answer: unknown
}

/** Sends the writes, in order, to a fresh cluster that has the namespace of the recording. */
export async function replay(writes: readonly RecordedWrite[]): Promise<Outcome[]> {
  const host = virtualHost({ seed: 'replay' })
  const cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  const send = async (write: Omit<RecordedWrite, 'code'>): Promise<Outcome> => {
    const response = await host.request({
      method: write.method,
      url: cluster.url + write.path,
      headers: { 'content-type': write.type ?? 'application/json' },
      ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
    })
    const text = await readText(response.body, 10_000_000)
    return { code: response.status, answer: JSON.parse(text) as unknown }
  }
  const metadata = { name: 'admission' }
  await send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata } })
  const accounts = '/api/v1/namespaces/admission/serviceaccounts'
  await send({ method: 'POST', path: accounts, body: { metadata: { name: 'default' } } })
  const outcomes: Outcome[] = []
  for (const write of writes) {
    const { code, answer } = await send(write)
    outcomes.push({ code, answer: masked(code < 400 ? essence(answer) : answer) })
  }
  await cluster.dispose()
  host.stop()
  return outcomes
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
