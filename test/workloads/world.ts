/**
 * Where scenarios run: a server with its clock, and watches that detect when nothing changes. The
 * real and the embedded world share this code, so that both wait in the same way.
 */
import { createCluster } from '@setpoint/cluster'
import { nodeHost, readText, virtualHost, type Host, type TlsClientSettings } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { connectionFromKubeconfig, type Connection } from 'setpoint/client'
import { collectionPath, servedKinds } from './kinds.ts'
import { Observed, type ApiObject } from './observed.ts'

export interface WorldRequest {
  readonly method: string
  readonly path: string
  readonly body?: JsonObject
  readonly contentType?: string
  /** The field manager; default `scenario`. */
  readonly agent?: string
}

export interface WorldAnswer {
  readonly code: number
  readonly body: JsonObject
}

/** A server with its clock. */
export interface World extends AsyncDisposable {
  readonly host: Host
  readonly observed: Observed
  readonly send: (request: WorldRequest) => Promise<WorldAnswer>
}

/** How long nothing may change before the next step: Jobs gather pod changes for a second. */
const stableMs = 1_500
const stableTimeoutMs = 90_000
const answerBytesMax = 50_000_000
const answerMsMax = 30_000

/** A running control plane, by a kubeconfig. */
export async function realWorld(kubeconfig: string): Promise<World> {
  const host = nodeHost()
  const text = new TextDecoder().decode(await host.readFile(kubeconfig))
  return openWorld(host, await connectionFromKubeconfig(host, text), async () => undefined)
}

/** The embedded cluster in virtual time, with controllers and without nodes. */
export async function embeddedWorld(seed: string): Promise<World> {
  const host = virtualHost({ seed, startTime: Date.UTC(2026, 10, 16, 12) })
  const cluster = await createCluster({ host, nodes: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return openWorld(host, connection, async () => {
    await cluster.dispose()
    host.stop()
  })
}

async function openWorld(
  host: Host,
  { server, credentials }: Connection,
  dispose: () => Promise<void>,
): Promise<World> {
  const url = server.replace(/\/$/, '')
  const { tls } = await credentials.current()
  const observed = new Observed()
  const end = new AbortController()
  const watched = { host, url, tls, observed, signal: end.signal }
  await Promise.all([...servedKinds.keys()].map((kind) => watch(watched, kind)))
  return {
    host,
    observed,
    send: async (request) => send({ host, url, tls }, request),
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await dispose()
    },
  }
}

interface Server {
  readonly host: Host
  readonly url: string
  readonly tls: TlsClientSettings
}

async function send({ host, url, tls }: Server, request: WorldRequest): Promise<WorldAnswer> {
  const { method, path, body, contentType = 'application/json', agent = 'scenario' } = request
  const abort = new AbortController()
  const timer = host.setTimer(answerMsMax, () => abort.abort())
  try {
    const response = await host.request({
      method,
      url: url + path,
      tls,
      signal: abort.signal,
      headers: { 'user-agent': `${agent}/1`, ...(body && { 'content-type': contentType }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await readText(response.body, answerBytesMax)
    return { code: response.status, body: JSON.parse(text) as JsonObject }
  } finally {
    timer.cancel()
  }
}

/** Resolves when the watch is open. It is not reopened, because a run is shorter than a watch. */
async function watch(
  { host, url, tls, observed, signal }: Server & { observed: Observed; signal: AbortSignal },
  kind: string,
): Promise<void> {
  const path = `${collectionPath(kind)}?watch=true`
  const response = await host.request({ method: 'GET', url: url + path, tls, signal })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { object } = JSON.parse(line) as { object: ApiObject }
        observed.note(kind, object, host.monotonicMs())
      }
    }
    throw new Error('the server ended it')
  }
  follow().catch((error: unknown) => {
    if (!signal.aborted) observed.lost(`the watch of ${kind} ended: ${String(error)}`)
  })
}

/** Waits until no object of a scenario has changed for a while. */
export async function waitUntilStable({ host, observed }: World, namespace: string): Promise<void> {
  const beginMs = host.monotonicMs()
  for (;;) {
    const nowMs = host.monotonicMs()
    const idleMs = nowMs - Math.max(beginMs, observed.changedMs(namespace))
    if (idleMs >= stableMs) return
    if (nowMs - beginMs > stableTimeoutMs)
      throw new Error(`the objects of ${namespace} keep changing`)
    await host.sleep(stableMs - idleMs)
  }
}
