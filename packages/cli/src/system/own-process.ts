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

/** Calls `run` when the process ends and it was not `endProcess` that did it, until the returned function is called. */
export function onStrangeEnd(run: () => void): () => void {
  const ended = (): void => {
    if (!isEnding) run()
  }
  process.once('exit', ended)
  return () => void process.off('exit', ended)
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
