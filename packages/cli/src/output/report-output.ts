import { join, relative } from 'node:path'
import {
  type CommandContext,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import type { OutputChange } from './write-output.ts'

/** The words for a change that was made, and for one that `--check` found. */
const words = {
  created: ['created', 'missing'],
  changed: ['changed', 'outdated'],
  removed: ['removed', 'superfluous'],
} as const

/** Prints the changes of a folder. With `--check`, the exit code is 1 if there are any. */
export function reportOutput(
  { terminal, folder: here }: CommandContext,
  input: CommandInput,
  result: {
    readonly folder: string
    readonly changes: readonly OutputChange[]
    readonly isCheck: boolean
    readonly command: string
  },
): ExitCode {
  const { folder, isCheck, command } = result
  const changes = result.changes.map(({ path, change }) => ({
    path: relative(here, join(folder, path)),
    change,
  }))
  const open = changes.filter(({ change }) => change !== 'unchanged')
  if (input.has('json')) terminal.print(JSON.stringify({ files: changes }, undefined, 2))
  else {
    for (const { path, change } of changes) {
      if (change === 'unchanged') continue
      const word = words[change][isCheck ? 1 : 0]
      terminal.print(`${terminal.style.yellow(word.padEnd(isCheck ? 12 : 8))} ${path}`)
    }
    if (open.length === 0) terminal.print(`${changes.length} files are up to date`)
    else if (isCheck) terminal.printProgress(`run \`${command}\` to update them`)
  }
  return isCheck && open.length > 0 ? exitCodes.failed : exitCodes.ok
}
