import { dirname, join } from 'node:path'
import type { Host } from 'setpoint/host'
import { CommandError } from '../command/index.ts'

/** A generated file. */
export interface OutputFile {
  /** Relative to the folder. */
  readonly path: string
  readonly text: string
}

/** The change of a file. */
export interface OutputChange {
  readonly path: string
  readonly change: 'created' | 'changed' | 'unchanged' | 'removed'
}

/** A folder to write. */
interface Output {
  readonly folder: string
  readonly files: readonly OutputFile[]
  /** The command that writes it, for the mark. */
  readonly command: string
  /** The YAML file that gets the mark in its first line. */
  readonly marked: string
  /** Write nothing. */
  readonly isCheck: boolean
}

/** Writes the files of a folder, and removes those that are no longer generated. */
export async function writeOutput(host: Host, output: Output): Promise<OutputChange[]> {
  const { folder, marked, command, isCheck } = output
  const mark = `# Made by \`${command}\`; the files of this folder are overwritten or removed.\n`
  const files = output.files.map(({ path, text }) => ({
    path,
    text: path === marked ? `${mark}${text}` : text,
  }))
  const existing = await filesBelow(host, folder)
  const first = existing.includes(marked) ? await readText(host, join(folder, marked)) : ''
  if (existing.length > 0 && !first.startsWith(mark)) {
    throw new CommandError(`${folder} was not made by ${command} and would be overwritten`, {
      hint: 'move or delete the folder, or use another one: --output DIR',
    })
  }
  const written = await Promise.all(
    files.map(async ({ path, text }): Promise<OutputChange & { text: string }> => {
      if (!existing.includes(path)) return { path, change: 'created', text }
      const isSame = (await readText(host, join(folder, path))) === text
      return { path, change: isSame ? 'unchanged' : 'changed', text }
    }),
  )
  const removed = existing.filter((path) => !files.some((file) => file.path === path))
  if (!isCheck) {
    for (const { path, change, text } of written) {
      if (change === 'unchanged') continue
      await host.makeDirectory(dirname(join(folder, path)))
      await host.writeFile(join(folder, path), text)
    }
    for (const path of removed) await host.remove(join(folder, path))
  }
  return [
    ...written.map(({ path, change }) => ({ path, change })),
    ...removed.map((path): OutputChange => ({ path, change: 'removed' })),
  ].sort((left, right) => (left.path < right.path ? -1 : 1))
}

async function readText(host: Host, path: string): Promise<string> {
  return new TextDecoder().decode(await host.readFile(path))
}

/** The files of a folder and its subfolders, relative to it; none if it does not exist. */
async function filesBelow(host: Host, folder: string): Promise<string[]> {
  if ((await host.fileInfo(folder))?.isDirectory !== true) return []
  const names = await host.listDirectory(folder)
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      if ((await host.fileInfo(path))?.isDirectory !== true) return [name]
      return (await filesBelow(host, path)).map((below) => `${name}/${below}`)
    }),
  )
  return found.flat()
}
