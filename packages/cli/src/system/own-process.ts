import process from 'node:process'

/** The arguments of this process. */
export function processArguments(): string[] {
  return process.argv.slice(2)
}

/** The id of this process. */
export function processId(): number {
  return process.pid
}

/** The id of the process that started this one; that of another process after its end. */
export function parentId(): number {
  return process.ppid
}

/** The current folder. */
export function currentFolder(): string {
  return process.cwd()
}

/** Stops this process as a closed terminal does. */
export function hangUp(): void {
  process.kill(process.pid, 'SIGHUP')
}

let isEnding = false

/** Ends the process after all output is written. */
export function endProcess(code: number): void {
  isEnding = true
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/**
 * Calls `run` when the process exits without `endProcess`, until the returned function is called.
 * `isIdle` when the event loop was empty.
 */
export function onUnexpectedExit(run: (isIdle: boolean) => void): () => void {
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

/**
 * The export conditions of this process besides Node's own. In the repository there is one for the
 * sources.
 */
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
