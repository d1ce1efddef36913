import {
  onAbort,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type PeerCertificate,
  type Timer,
  type Timers,
} from 'setpoint/host'
import { callHandler } from './call-handler.ts'
import { OutboundError } from './outbound-error.ts'

interface PodCall {
  readonly handle: HttpHandler
  /** The path of the request, with its query. */
  readonly path: string
  /** How long the head of the response may take. */
  readonly timeoutMs: number
  /** The certificate of the API server. */
  readonly certificate?: PeerCertificate
}

/** Simulated pods have no sockets: their handler is called. */
export async function callPod(
  host: Timers,
  request: HttpRequest,
  { handle, timeoutMs, ...call }: PodCall,
): Promise<HttpResponse> {
  const controller = new AbortController()
  const { signal } = controller
  let overdue: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    const stop = (why: string): void => {
      reject(new OutboundError(why))
      controller.abort()
    }
    overdue = host.setTimer(timeoutMs, () => stop('context deadline exceeded'))
    // Also ends the reading of the response body.
    if (request.signal !== undefined) onAbort(request.signal, () => stop('context canceled'))
  })
  // A late abort has no reader.
  late.catch(() => undefined)
  try {
    return await Promise.race([callHandler(handle, { ...request, signal }, call), late])
  } finally {
    overdue?.cancel()
  }
}
