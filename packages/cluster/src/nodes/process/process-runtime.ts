import { onAbort, type Clock, type Timers } from 'setpoint/host'
import type { PodView } from '../behaviour/index.ts'
import { type PodRuntime, simulatedRuntime } from '../simulated-runtime.ts'
import type { ProcessPods } from './process-pods.ts'

interface ExecRequest {
  readonly container: string
  readonly command: readonly string[]
  /** Its standard input. */
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** A running command, or why there is none. */
type Execution =
  | { readonly refusal: string }
  | { readonly stderr: string; readonly exitCode: number }
  | {
      readonly stdout: AsyncIterable<Uint8Array>
      readonly stderr: AsyncIterable<Uint8Array>
      readonly exitCode: Promise<number>
    }

/** The interface of the API server: logs as for simulated pods, commands as real programs. */
export interface ProcessRuntime extends Pick<PodRuntime, 'log'> {
  exec(pod: PodView, request: ExecRequest): Promise<Execution>
}

/** The runtime of process pods. There is no terminal: programs see pipes. */
export function processRuntime(host: Clock & Timers, pods: ProcessPods): ProcessRuntime {
  const simulated = simulatedRuntime(host, pods)
  return {
    log: (pod, request) => simulated.log(pod, request),
    exec: async (pod, { container, command, stdin, signal }) => {
      const run = pods.runningOf(pod, container)
      if (run === undefined)
        return { refusal: `container not found (${JSON.stringify(container)})` }
      try {
        const child = await run.open(command)
        const stop = onAbort(signal, () => child.kill('SIGKILL'))
        const ended = child.ended.finally(stop)
        void pass(stdin, child).catch(() => child.closeInput())
        const { stdout, stderr } = child
        return { stdout, stderr, exitCode: ended.then(({ exitCode }) => exitCode) }
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        return { stderr: `${text}\n`, exitCode: 127 }
      }
    },
  }
}

async function pass(
  stdin: AsyncIterable<Uint8Array>,
  to: { write(data: Uint8Array): Promise<void>; closeInput(): void },
): Promise<void> {
  for await (const chunk of stdin) await to.write(chunk)
  to.closeInput()
}
