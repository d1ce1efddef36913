import { Socket } from 'node:net'
import { SetpointError } from 'setpoint'
import { onAbort, readText } from 'setpoint/host'
import { type AuthorCall, authorCall } from './process-scope.ts'
import { replaceMember } from './replace-member.ts'

const bodyMax = 64 * 1024 * 1024

/** Answers that have no body, by the standard of `fetch`. */
const bodiless = [101, 204, 205, 304]

/** Requests reach the models of external systems. Nothing leaves the process. */
export function interceptNetwork(): (() => void)[] {
  const original = globalThis.fetch
  const replaced = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const call = authorCall(replaced)
    return call === undefined ? original(input, init) : simulatedFetch(call, input, init)
  }
  return [
    replaceMember(globalThis, 'fetch', replaced),
    replaceMember(Socket.prototype, 'connect', refusedConnect()),
  ]
}

/** `fetch` is how operators call other systems, so it is a bypass only without a model. */
async function simulatedFetch(
  { scope, line }: AuthorCall,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = new Request(input, init)
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
  signal?.throwIfAborted()
  const { origin } = new URL(request.url)
  if (!scope.origins.has(origin)) {
    scope.bypasses.add({ what: 'fetch', line })
    throw fetchFailed(withoutModel(origin, line))
  }
  const answer = answerOf(request, scope.host).catch((error: unknown) => {
    throw fetchFailed(error)
  })
  if (signal === undefined) return answer
  return new Promise((resolve, reject) => {
    const stopWaiting = onAbort(signal, () => reject(reasonOf(signal)))
    answer.then(resolve, reject).finally(stopWaiting)
  })
}

async function answerOf(request: Request, host: AuthorCall['scope']['host']): Promise<Response> {
  const body = request.body === null ? undefined : await request.text()
  const { method, url } = request
  const headers = Object.fromEntries(request.headers)
  const response = await host.request({ method, url, headers, body })
  const text = await readText(response.body, bodyMax)
  const { status } = response
  const answer = new Response(bodiless.includes(status) ? null : text, {
    status,
    headers: response.headers,
  })
  Object.defineProperty(answer, 'url', { value: url })
  return answer
}

/** The errors of `fetch` are TypeErrors with a cause. */
function fetchFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

function withoutModel(origin: string, line: string): SetpointError {
  return new SetpointError(
    'NETWORK_CONNECT_FAILED',
    `${line} calls ${origin}, which has no model`,
    {
      hint: `the simulator sends no real request: add a model to externals: external({ origin: '${origin}', ... })`,
    },
  )
}

function ownConnection(line: string): SetpointError {
  return new SetpointError('NETWORK_CONNECT_FAILED', `${line} opens a connection of its own`, {
    hint: 'the simulator opens none: use fetch or host.request(), with a model in externals',
  })
}

/** Sockets of `node:net`, and so of `node:http`, `node:https` and drivers of databases. */
function refusedConnect(): Socket['connect'] {
  const original = Reflect.get(Socket.prototype, 'connect')
  function connect(this: Socket, ...args: unknown[]): Socket {
    const call = authorCall(connect)
    if (call === undefined) return Reflect.apply(original, this, args) as Socket
    call.scope.bypasses.add({ what: 'a connection', line: call.line })
    const error = ownConnection(call.line)
    process.nextTick(() => this.destroy(error))
    return this
  }
  return connect
}
