import process from 'node:process'

/** The words after the command's name. */
export function startedWords(): string[] {
  return process.argv.slice(2)
}

/** The folder the command was called in. */
export function startedFolder(): string {
  return process.cwd()
}

/** Asks this process to stop, as a terminal does that is closed. */
export function hangUp(): void {
  process.kill(process.pid, 'SIGHUP')
}

let isEnding = false

/** Ends the process once everything that was printed has left it. */
export function endProcess(code: number): void {
  isEnding = true
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/**
 * Calls `run` when the process ends and it was not `endProcess` that did it, until the returned function is called.
 * `isIdle` when nobody ended it: nothing was left to do.
 */
export function onStrangeEnd(run: (isIdle: boolean) => void): () => void {
  let isIdle = false
  const idle = (): void => {
    isIdle = true
  }
  const ended = (): void => {
    if (!isEnding) run(isIdle)
  }
  process.once('beforeExit', idle)
  process.once('exit', ended)
  return () => {
    process.off('beforeExit', idle)
    process.off('exit', ended)
  }
}

/** Under which conditions this process resolves packages, beyond Node's own: in the repository, sources. */
export function exportConditions(): string[] {
  return process.execArgv.flatMap((argument) => {
    const condition = /^--conditions=(.+)$/.exec(argument)?.[1]
    return condition === undefined ? [] : [condition]
  })
}

/** The version of Node that runs this: `20.19.0`. */
export function nodeVersion(): string {
  return process.versions.node
}
