import { isAbsolute, join, relative } from 'node:path'
import type { Sample } from '@setpoint/sim'
import type { Host } from 'setpoint/host'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { type Document, parseAllDocuments } from 'yaml'
import { type CommandContext, CommandError } from '../command/index.ts'
import { sampleFiles } from '../project/index.ts'

/** Where samples are. */
interface SamplePlace {
  /** The folder of the project, and the module of its operators. */
  readonly folder: string
  readonly file: string
  /** The file of `--samples`, instead of those of the project. */
  readonly named?: string | undefined
}

/** The samples of a project, as `setpoint dev --samples` finds them, or those of one file. */
export async function readSamples(
  { host, folder }: Pick<CommandContext, 'host' | 'folder'>,
  place: SamplePlace,
): Promise<Sample[]> {
  const { named } = place
  const files =
    named === undefined
      ? await sampleFiles(host, place)
      : [isAbsolute(named) ? named : join(folder, named)]
  const samples = await Promise.all(
    files.map(async (path) => samplesIn(relative(folder, path), await textOf(host, path, named))),
  )
  return samples.flat()
}

async function textOf(host: Host, path: string, named = path): Promise<string> {
  if ((await host.fileInfo(path))?.isDirectory !== false) {
    throw new CommandError(`--samples: there is no file ${named}`)
  }
  return new TextDecoder().decode(await host.readFile(path))
}

function samplesIn(path: string, text: string): Sample[] {
  return [parseAllDocuments(text)].flat().flatMap((document) => {
    const value = valueOf(path, document)
    if (value === null) return []
    if (!isSample(value)) {
      throw new CommandError(`${path}: an object needs apiVersion, kind and metadata.name`)
    }
    return [value]
  })
}

function valueOf(path: string, document: Document.Parsed): unknown {
  const [error] = document.errors
  if (error !== undefined) throw new CommandError(`${path}: ${error.message}`)
  try {
    return document.toJS()
  } catch (cause) {
    throw new CommandError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

function isSample(value: unknown): value is Sample {
  const isText = (one: JsonValue | undefined): boolean => typeof one === 'string' && one !== ''
  const { apiVersion, kind, metadata, spec }: JsonObject = isJsonObject(value as JsonValue)
    ? (value as JsonObject)
    : {}
  return (
    isText(apiVersion) &&
    isText(kind) &&
    isJsonObject(metadata) &&
    isText(metadata['name']) &&
    (spec === undefined || isJsonObject(spec))
  )
}
