import { dirname, isAbsolute, join } from 'node:path'
import type { ClusterOptions, ProcessImage } from '@setpoint/cluster'
import { parse } from 'yaml'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'

/** The nodes of `--nodes` and `--images`: a number, none, or pods as processes of this machine. */
export async function nodesOption(
  { host, folder }: CommandContext,
  input: CommandInput,
): Promise<ClusterOptions['nodes']> {
  const nodes = input.value('nodes')
  const images = input.value('images')
  if (nodes === 'off' && images === undefined) return 'off'
  const count = nodes === undefined ? undefined : Number(nodes)
  if (count !== undefined && !(Number.isInteger(count) && count > 0)) {
    throw new CommandError(`--nodes is ${nodes ?? ''}, which is not a number of nodes`, {
      exitCode: exitCodes.usage,
      hint: images === undefined ? 'use off for no nodes' : '--images needs a node',
    })
  }
  if (images === undefined) return count
  const path = isAbsolute(images) ? images : join(folder, images)
  const text = new TextDecoder().decode(await host.readFile(path))
  return {
    ...(count === undefined ? {} : { count }),
    process: { images: imagesIn(path, text) },
  }
}

function parsed(text: string, refuse: (what: string) => never): unknown {
  try {
    return parse(text) as unknown
  } catch (error) {
    return refuse((error as Error).message.trimEnd())
  }
}

/** The programs for images, from a file: `memcached*: { command: memcached }`. */
function imagesIn(path: string, text: string): Readonly<Record<string, ProcessImage>> {
  const refuse = (what: string): never => {
    throw new CommandError(`${path}: ${what}`, {
      hint: "give every image a command: 'memcached*': { command: memcached }",
    })
  }
  const value = parsed(text, refuse)
  if (typeof value !== 'object' || value === null) return refuse('it has no images')
  return Object.fromEntries(
    Object.entries(value).map(([name, image]) => {
      const { command } = (image ?? {}) as { readonly command?: unknown }
      const words = typeof command === 'string' ? [command] : command
      if (
        !Array.isArray(words) ||
        words.length === 0 ||
        !words.every((each) => typeof each === 'string')
      ) {
        return refuse(`${name} has no command`)
      }
      // Relative paths are relative to the file, not to the current folder.
      const found = words.map((word) => (/^\.\.?\//.test(word) ? join(dirname(path), word) : word))
      return [name, { ...(image as ProcessImage), command: found }]
    }),
  )
}
