import type { RunningCommand, Timers } from 'setpoint/host'
import type { ExecResult } from '../../behaviour/index.ts'

/**
 * How long the output of a finished program is read. A child process that it left may keep the
 * output open.
 */
const drainMs = 250

/** How much of each output is kept. */
const bytesMax = 1024 * 1024

/** Waits until the outputs of a finished program are read, but not forever. */
export async function drainOutputs(host: Timers, outputs: readonly Promise<void>[]): Promise<void> {
  const enough = new AbortController()
  const late = host.sleep(drainMs, enough.signal).catch(() => undefined)
  await Promise.race([Promise.all(outputs).catch(() => undefined), late])
  enough.abort()
}

/** Collects the outputs and the exit code of a program. */
export async function collectOutput(host: Timers, command: RunningCommand): Promise<ExecResult> {
  const [stdout, stderr] = [new Collector(), new Collector()]
  const outputs = [stdout.take(command.stdout), stderr.take(command.stderr)]
  const { exitCode } = await command.ended
  await drainOutputs(host, outputs)
  return { stdout: stdout.text, stderr: stderr.text, exitCode }
}

class Collector {
  readonly #decoder = new TextDecoder()
  text = ''

  async take(output: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of output) {
      if (this.text.length < bytesMax) this.text += this.#decoder.decode(chunk, { stream: true })
    }
  }
}
