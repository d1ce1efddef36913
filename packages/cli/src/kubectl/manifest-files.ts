import { isAbsolute, join } from 'node:path'
import { parseYaml } from '@setpoint/cluster/yaml'

import { readText } from 'setpoint/host'
import { isJsonObject, type JsonValue } from 'setpoint/schema'
import type { ApiObject, ApiResource } from './api-resources.ts'
import type { FlagDeclarations } from './kubectl-flags.ts'
import { KubectlProblem } from './kubectl-problem.ts'
import type { KubectlSession } from './kubectl-session.ts'

/** The flags of commands that read manifests. */
export const manifestFlags: FlagDeclarations = {
  filename: { form: 'list', short: 'f' },
  recursive: { form: 'yes', short: 'R' },
}

/** An object of a file. */
export interface Manifest {
  readonly resource: ApiResource
  /** The object, with its namespace if its kind is namespaced. */
  readonly object: ApiObject
  /** The file as it was given, for messages. */
  readonly source: string
}

/** The largest manifest that is read from the network. */
const remoteBytesMax = 16 * 1024 * 1024

/**
 * All objects of `-f`, in the order of the files. Prints errors of invalid objects and continues.
 */
export async function readManifests(session: KubectlSession): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const entry of await readEntries(session)) {
    await session.attempt(async () => {
      manifests.push(await manifestOf(session, entry))
    })
  }
  return manifests
}

interface Entry {
  readonly value: JsonValue
  readonly source: string
}

async function readEntries(session: KubectlSession): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const named of session.line.list('filename')) {
    for (const { source, text } of await textsOf(session, named)) {
      for (const value of documentsOf(source, text)) {
        entries.push(...itemsOf(value).map((item) => ({ value: item, source })))
      }
    }
  }
  if (entries.length === 0) throw new KubectlProblem('error: no objects passed to apply')
  return entries
}

interface SourceText {
  readonly source: string
  readonly text: string
}

async function textsOf(session: KubectlSession, named: string): Promise<SourceText[]> {
  const { host, context } = session
  if (named === '-') return [{ source: 'STDIN', text: await context.readInput() }]
  if (!/^https?:\/\//.test(named)) return filesBelow(session, named, 0)
  const { status, body } = await host.request({ method: 'GET', url: named, signal: context.signal })
  const text = await readText(body, remoteBytesMax)
  if (status === 200) return [{ source: named, text }]
  throw new KubectlProblem(
    `error: unable to read URL ${JSON.stringify(named)}, server reported status code=${status}`,
  )
}

/** A file, or the manifests of a folder; with `-R` also of its subfolders. */
async function filesBelow(
  session: KubectlSession,
  path: string,
  depth: number,
): Promise<SourceText[]> {
  const { host, context, line } = session
  const absolute = isAbsolute(path) ? path : join(context.folder, path)
  const info = await host.fileInfo(absolute)
  if (info === undefined) {
    throw new KubectlProblem(`error: the path ${JSON.stringify(path)} does not exist`)
  }
  if (!info.isDirectory) {
    if (depth > 0 && !/\.(json|yaml|yml)$/.test(path)) return []
    return [{ source: path, text: new TextDecoder().decode(await host.readFile(absolute)) }]
  }
  if (depth > 0 && !line.isOn('recursive')) return []
  const found: SourceText[] = []
  for (const name of await host.listDirectory(absolute)) {
    found.push(...(await filesBelow(session, join(path, name), depth + 1)))
  }
  return found
}

/** The documents of a text, without empty ones. */
function documentsOf(source: string, text: string): JsonValue[] {
  return text.split(/^---(?:[ \t].*)?$/m).flatMap((part) => {
    if (/^(?:\s*(?:#.*)?\n?)*$/.test(part)) return []
    try {
      const { value } = parseYaml(part)
      return value === null ? [] : [value]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const from = why.startsWith('yaml') ? `error converting YAML to JSON: ${why}` : why
      throw new KubectlProblem(`error: error parsing ${source}: ${from}`)
    }
  })
}

/** The objects of a `List`, or the object itself. */
function itemsOf(value: JsonValue): JsonValue[] {
  if (!isJsonObject(value) || !Array.isArray(value['items'])) return [value]
  const { kind } = value
  return typeof kind === 'string' && kind.endsWith('List')
    ? value['items'].flatMap(itemsOf)
    : [value]
}

async function manifestOf(session: KubectlSession, { value, source }: Entry): Promise<Manifest> {
  const object = checkedObject(value, source)
  const resource =
    (await session.resources()).ofObject(object) ?? (await newResource(session, object))
  if (resource === undefined) {
    const { name, namespace = '' } = object.metadata
    throw new KubectlProblem(
      `error: resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(namespace)} from ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(object.kind)} in version ${JSON.stringify(object.apiVersion)}\nensure CRDs are installed first`,
    )
  }
  if (resource.scope === 'Cluster') return { resource, source, object }
  const { namespace = session.namespace } = object.metadata
  if (session.line.isSet('namespace') && namespace !== session.namespace) {
    throw new KubectlProblem(
      `error: the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(session.namespace)}. You must pass '--namespace=${namespace}' to perform this operation.`,
    )
  }
  return { resource, source, object: { ...object, metadata: { ...object.metadata, namespace } } }
}

/** A CRD of this command may have created the kind. */
async function newResource(
  session: KubectlSession,
  object: ApiObject,
): Promise<ApiResource | undefined> {
  session.forgetResources()
  return (await session.resources()).ofObject(object)
}

function checkedObject(value: JsonValue, source: string): ApiObject {
  const { apiVersion, kind, metadata } = isJsonObject(value) ? value : {}
  const missing = [
    ...(typeof apiVersion === 'string' ? [] : ['apiVersion not set']),
    ...(typeof kind === 'string' ? [] : ['kind not set']),
  ]
  if (missing.length > 0) {
    const what = missing.length === 1 ? (missing[0] ?? '') : `[${missing.join(', ')}]`
    throw new KubectlProblem(
      `error: error validating ${JSON.stringify(source)}: error validating data: ${what}; if you choose to ignore these errors, turn validation off with --validate=false`,
    )
  }
  const { name, generateName } = (metadata ?? {}) as { name?: unknown; generateName?: unknown }
  if (typeof name !== 'string' && typeof generateName !== 'string') {
    throw new KubectlProblem(
      `error: error when retrieving current configuration of ${JSON.stringify(source)}: resource name may not be empty`,
    )
  }
  return value as unknown as ApiObject
}
