import process from 'node:process'

/** The words after the command's name. */
export function startedWords(): string[] {
  return process.argv.slice(2)
}

/** The folder the command was called in. */
export function startedFolder(): string {
  return process.cwd()
}

/** Ends the process once everything that was printed has left it. */
export function endProcess(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
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
