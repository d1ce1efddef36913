import type { Clock, Timers } from 'setpoint/host'
import type { ExecResult, PodBehaviours, PodView } from './behaviour/index.ts'
import { containerOf, lineText, type LogSelection, simulatedPodLog } from './simulated-pod-log.ts'

/** A refusal of a kubelet, which the API returns as a bad request. */
interface RuntimeRefusal {
  readonly refusal: string
}

interface LogRequest extends LogSelection {
  /** Continues until the container ends. */
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

/**
 * The interface of the API server to the nodes, for the subresources `log` and `exec`. A pod is
 * passed as a function that reads it, because it changes while its log is followed.
 */
export interface PodRuntime {
  /** The log in chunks, or the refusal. */
  log(
    pod: () => PodView | undefined,
    request: LogRequest,
  ): AsyncIterable<Uint8Array> | RuntimeRefusal
  /** The result of a command in a container, or the refusal. */
  exec(
    pod: PodView,
    request: { readonly container: string; readonly command: readonly string[] },
  ): Promise<ExecResult | RuntimeRefusal>
}

/** How often a followed log is polled when no next line is known: the container may end. */
const pollMs = 1_000

/** The runtime of simulated pods: logs and commands come from their behaviours. */
export function simulatedRuntime(
  host: Clock & Timers,
  behaviours: Pick<PodBehaviours, 'of'>,
): PodRuntime {
  const logOf = (pod: PodView, request: LogRequest): ReturnType<typeof simulatedPodLog> =>
    simulatedPodLog(pod, request, { behaviourOf: behaviours.of(pod), nowMs: host.now() })
  return {
    log(read, request) {
      const pod = read()
      if (pod === undefined) return { refusal: 'the pod is gone' }
      const first = logOf(pod, request)
      if ('problem' in first) return { refusal: first.problem }
      return limited(followed({ host, read, logOf, request }), request.limitBytes)
    },
    async exec(pod, { container, command }) {
      const found = containerOf(pod, container)
      if (found?.status?.state?.running === undefined) {
        return { refusal: `container not found (${JSON.stringify(container)})` }
      }
      const { exec } = behaviours.of(pod)(found.spec, found.role)
      const restart = found.status.restartCount
      return (await exec?.(command, { pod, container, restart })) ?? {}
    },
  }
}

interface FollowedLog {
  readonly host: Clock & Timers
  readonly read: () => PodView | undefined
  readonly logOf: (pod: PodView, request: LogRequest) => ReturnType<typeof simulatedPodLog>
  readonly request: LogRequest
}

async function* followed(at: FollowedLog): AsyncGenerator<Uint8Array, void, undefined> {
  const { host, read, logOf, request } = at
  const encoder = new TextEncoder()
  let selection: LogRequest = request
  let run: number | undefined
  for (;;) {
    const pod = read()
    const log = pod && logOf(pod, selection)
    if (pod === undefined || log === undefined || 'problem' in log) return
    run ??= log.restart
    // A followed log ends with its run. Lines of the next run are not sent, only the rest of its
    // own.
    const own = log.restart === run ? log : logOf(pod, { ...selection, previous: true })
    if ('problem' in own || own.restart !== run) return
    for (const line of own.lines) yield encoder.encode(lineText(line, request.timestamps ?? false))
    if (request.follow !== true || !own.isOpen) return
    const nowMs = host.now()
    await host.sleep(Math.min(pollMs, (log.nextMs ?? Infinity) - nowMs), request.signal)
    const { tailLines: _all, ...rest } = request
    // All lines until now have been sent.
    selection = { ...rest, sinceMs: nowMs + 1 }
  }
}

async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes = Infinity,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = limitBytes
  for await (const chunk of chunks) {
    if (left <= 0) return
    yield chunk.length > left ? chunk.subarray(0, left) : chunk
    left -= chunk.length
  }
}
