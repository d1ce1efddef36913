import { onAbort, type Clock, type Timers } from 'setpoint/host'
import type { PodView } from '../behaviour/index.ts'
import { type PodRuntime, simulatedRuntime } from '../simulated-runtime.ts'
import type { ProcessPods } from './process-pods.ts'

/** A command that is to be run in a container. */
interface ExecRequest {
  readonly container: string
  readonly command: readonly string[]
  /** What its input is, until it ends. */
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** A command at work, or why there is none. */
type Execution =
  | { readonly refusal: string }
  | { readonly stderr: string; readonly exitCode: number }
  | {
      readonly stdout: AsyncIterable<Uint8Array>
      readonly stderr: AsyncIterable<Uint8Array>
      readonly exitCode: Promise<number>
    }

/** What the API asks for: logs as they are for pods that are played, commands as real programs. */
export interface ProcessRuntime extends Pick<PodRuntime, 'log'> {
  exec(pod: PodView, request: ExecRequest): Promise<Execution>
}

/** The runtime of pods that are processes. A terminal is not played: programs see pipes. */
export function processRuntime(host: Clock & Timers, pods: ProcessPods): ProcessRuntime {
  const asPlayed = simulatedRuntime(host, pods)
  return {
    log: (pod, request) => asPlayed.log(pod, request),
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
