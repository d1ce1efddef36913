import { keyOf } from '../../object/index.ts'
import { ApiError, badRequest, notFound } from '../../status/index.ts'
import { checkAccess } from '../access.ts'
import type { ApiRequest } from '../api-request.ts'
import { readObject } from '../object-text.ts'
import type { Outcome } from '../outcome.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { Outbox } from '../upgrade/outbox.ts'
import { asksForWebSocket, offeredProtocols, WebSocket } from '../upgrade/websocket.ts'
import { containerNamed, type PodContainers } from './pod-container.ts'
import type { PodExecution, PodRuntime } from './pod-runtime.ts'

/**
 * The WebSocket protocols of kubectl, the newest first: the first byte of each message is its
 * channel.
 */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
/** The WebSocket close code for an error of the server. */
const internalErrorCode = 1011

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const

/** `pods/exec` and `pods/attach`: a command in a container, its streams over a WebSocket. */
export async function podExec(
  request: ApiRequest,
  resource: ServedResource,
  runtime: PodRuntime,
): Promise<Outcome> {
  const { info, headers, server, user } = request
  // A connection can run anything in the container, so the right to get is not enough.
  if (info.verb === 'get') checkAccess(server.authorizer, user, { ...info, verb: 'create' })
  const pod = podOf(request, resource)
  const container = containerNamed(pod, info.name, info.query.get('container') ?? '')
  if ((pod.spec.nodeName ?? '') === '') {
    throw badRequest(`pod ${info.name} does not have a host assigned`)
  }
  if (!asksForWebSocket(headers)) throw badRequest('Upgrade request required')
  const protocol = protocols.find((name) => offeredProtocols(headers).includes(name))
  if (protocol === undefined) {
    throw badRequest(`unable to upgrade: offer one of ${protocols.join(', ')}`)
  }
  const stdin = new Outbox()
  const execution =
    info.subresource === 'attach'
      ? attached(request, { pod, container, runtime })
      : await runtime.exec(pod, {
          container,
          command: info.query.getAll('command'),
          tty: info.query.get('tty') === 'true',
          stdin,
          signal: request.signal,
        })
  if ('refusal' in execution) throw cannotUpgrade(execution.refusal)
  const socket = new WebSocket(request.body)
  void relay(socket, execution, stdin)
  return { response: WebSocket.answer(socket, headers, protocol) }
}

function podOf({ info, server }: ApiRequest, resource: ServedResource): PodContainers {
  const stored = server.store.get(resource.bucket, keyOf(info.namespace, info.name))
  if (stored === undefined) throw notFound({ group: '', resource: resource.plural }, info.name)
  return readObject(resource, stored) as unknown as PodContainers
}

/** Streams the output of a container from now on. */
function attached(
  { server, signal }: ApiRequest,
  at: { readonly pod: unknown; readonly container: string; readonly runtime: PodRuntime },
): PodExecution | { readonly refusal: string } {
  const { pod, container, runtime } = at
  const sinceMs = server.host.now()
  const log = runtime.log(() => pod, { container, follow: true, sinceMs, signal })
  return 'refusal' in log ? log : { stdout: log }
}

function cannotUpgrade(refusal: string): ApiError {
  const message = `unable to upgrade connection: ${refusal}`
  return new ApiError({ code: 500, reason: 'InternalError', message })
}

/** Relays the streams of a command, then its exit status. */
async function relay(socket: WebSocket, execution: PodExecution, stdin: Outbox): Promise<void> {
  const listening = listen(socket, stdin)
  try {
    await Promise.all([
      send(socket, channels.stdout, execution.stdout),
      send(socket, channels.stderr, execution.stderr),
    ])
    const status = endStatus((await execution.exitCode) ?? 0)
    await socket.send(onChannel(channels.error, new TextEncoder().encode(JSON.stringify(status))))
    await socket.close()
  } catch {
    // Usually the client has disconnected; a client that is still connected gets the close code.
    await socket.close(internalErrorCode)
  }
  stdin.end()
  await listening
}

async function listen(socket: WebSocket, stdin: Outbox): Promise<void> {
  try {
    for await (const message of socket.messages()) {
      const [channel, ...rest] = message
      if (channel === channels.stdin) void stdin.put(Uint8Array.from(rest))
      else if (channel === channels.close && rest[0] === channels.stdin) stdin.end()
    }
  } catch {
    // The client disconnected without a close frame: stdin ends below.
  } finally {
    stdin.end()
  }
}

async function send(
  socket: WebSocket,
  channel: number,
  output: PodExecution['stdout'],
): Promise<void> {
  if (output === undefined || output === '') return
  if (typeof output === 'string') {
    await socket.send(onChannel(channel, new TextEncoder().encode(output)))
    return
  }
  for await (const bytes of output) await socket.send(onChannel(channel, bytes))
}

function onChannel(channel: number, bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(1 + bytes.length)
  message[0] = channel
  message.set(bytes, 1)
  return message
}

function endStatus(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  }
}
