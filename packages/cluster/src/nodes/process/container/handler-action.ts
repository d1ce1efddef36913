import { isSetpointError, type Frozen } from 'setpoint'
import type { Container, HTTPGetAction, LifecycleHandler, Probe } from 'setpoint/kinds'
import { type Host, readText, type Sockets } from 'setpoint/host'
import { durationText } from '../../../codec/index.ts'
import type { ExecResult } from '../../behaviour/index.ts'
import type { ProbeResult } from './probe-count.ts'

/** A container with probes and lifecycle hooks. */
export interface HandledContainer {
  readonly host: Host
  readonly sockets: Sockets
  readonly podIP: string
  readonly spec: Frozen<Container>
  /** Runs a command in it; `undefined` after a timeout. */
  exec(command: readonly string[], timeoutMs: number): Promise<ExecResult | undefined>
}

/** The action of a probe or of a hook. */
type Handler = Frozen<Probe> | Frozen<LifecycleHandler>

/** The maximum length of a probe's output. */
const outputBytesMax = 10 * 1024

/** Runs the action of a probe or hook. It never throws: an error becomes a failed result. */
export async function runHandler(
  container: HandledContainer,
  handler: Handler,
  timeoutMs: number,
): Promise<ProbeResult> {
  try {
    const result = await resultOf(container, handler, timeoutMs)
    return { ...result, output: result.output.slice(0, outputBytesMax) }
  } catch (error) {
    return { isOk: false, output: error instanceof Error ? error.message : String(error) }
  }
}

async function resultOf(
  container: HandledContainer,
  handler: Handler,
  timeoutMs: number,
): Promise<ProbeResult> {
  const { exec, httpGet, tcpSocket } = handler
  if (exec !== undefined) return execResult(container, exec.command ?? [], timeoutMs)
  if (httpGet !== undefined) return httpResult(container, httpGet, timeoutMs)
  if (tcpSocket !== undefined) {
    const { host: hostname = container.podIP } = tcpSocket
    const port = portOf(container.spec, tcpSocket.port)
    return dialTcp(container, { hostname, port, timeoutMs })
  }
  const { sleep } = handler as Frozen<LifecycleHandler>
  if (sleep !== undefined) {
    await container.host.sleep(Math.min(sleep.seconds * 1000, timeoutMs))
  }
  return { isOk: true, output: '' }
}

async function execResult(
  container: HandledContainer,
  command: readonly string[],
  timeoutMs: number,
): Promise<ProbeResult> {
  const result = await container.exec(command, timeoutMs)
  if (result === undefined) {
    const limit = durationText(BigInt(timeoutMs) * 1_000_000n)
    const text = JSON.stringify(command.join(' '))
    return { isOk: false, output: `command timed out: ${text} timed out after ${limit}` }
  }
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`
  return { isOk: (result.exitCode ?? 0) === 0, output }
}

async function httpResult(
  container: HandledContainer,
  action: Frozen<HTTPGetAction>,
  timeoutMs: number,
): Promise<ProbeResult> {
  const { host: hostname = container.podIP, path = '/', scheme = 'HTTP', httpHeaders = [] } = action
  const port = portOf(container.spec, action.port)
  const separator = path.startsWith('/') ? '' : '/'
  const url = `${scheme.toLowerCase()}://${hostname}:${port}${separator}${path}`
  const stop = new AbortController()
  const timer = container.host.setTimer(timeoutMs, () => stop.abort())
  try {
    const response = await container.host.request({
      method: 'GET',
      url,
      signal: stop.signal,
      headers: {
        'user-agent': 'kube-probe/1.36',
        accept: '*/*',
        ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
      },
      ...(scheme === 'HTTPS' ? { tls: { insecureSkipVerify: true } } : {}),
    })
    const body = await readText(response.body, outputBytesMax).catch(() => '')
    if (response.status >= 200 && response.status < 400) return { isOk: true, output: body }
    return { isOk: false, output: `HTTP probe failed with statuscode: ${response.status}` }
  } catch (error) {
    const late = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    const why = stop.signal.aborted ? late : refusal(error, `${hostname}:${port}`)
    return { isOk: false, output: `Get ${JSON.stringify(url)}: ${why}` }
  } finally {
    timer.cancel()
  }
}

async function dialTcp(
  { sockets }: HandledContainer,
  { hostname, port, timeoutMs }: { hostname: string; port: number; timeoutMs: number },
): Promise<ProbeResult> {
  try {
    await sockets.probeTcp({ hostname, port }, timeoutMs)
    return { isOk: true, output: '' }
  } catch (error) {
    return { isOk: false, output: refusal(error, `${hostname}:${port}`) }
  }
}

/** The message of a failed connection, as Go prints it. */
function refusal(error: unknown, address: string): string {
  const text = error instanceof Error ? error.message : String(error)
  if (!isSetpointError(error, 'NETWORK_CONNECT_FAILED')) return text
  if (text.includes('ECONNREFUSED')) return `dial tcp ${address}: connect: connection refused`
  return text.includes('no answer') ? `dial tcp ${address}: i/o timeout` : text
}

/** A port by its number, or by its name in the container. */
function portOf({ name, ports = [] }: Frozen<Container>, port: string | number): number {
  if (typeof port === 'number') return port
  const named = ports.find((one) => one.name === port)?.containerPort
  if (named === undefined) throw new Error(`container ${name} has no port ${JSON.stringify(port)}`)
  return named
}
