import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import process from 'node:process'

/** A program that runs, and whose output is collected. */
interface CapturedProgram {
  /** Resolves when it has ended; the code is -1 when a signal ended it or it did not start. */
  readonly ended: Promise<{ readonly code: number; readonly output: string }>
  /** Kills it immediately. */
  kill(): void
}

/**
 * Starts a module of Node as a program with a low priority, and collects its standard output and
 * error. It ends with this process.
 */
export function runCaptured(
  module: string,
  args: readonly string[],
  folder: string,
): CapturedProgram {
  const child = spawn(process.execPath, [module, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  lowerPriority(child.pid)
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (part: string) => parts.push(part))
  }
  const ended = new Promise<{ code: number; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, output: parts.join('') }))
    child.once('error', ({ message }) => resolve({ code: -1, output: message }))
  }).finally(() => process.off('exit', kill))
  return { ended, kill }
}

/** The terminal and the operators come first. Some systems refuse it, which does no harm. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
