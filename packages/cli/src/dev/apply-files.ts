import { dirname, isAbsolute, join, relative } from 'node:path'
import type { Client } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { type Document, parseAllDocuments } from 'yaml'
import { CommandError } from '../command/index.ts'
import { type ApiObject, ApiResources } from '../kubectl/index.ts'
import { isManifest } from '../project/index.ts'

/** The files of `--apply`: manifests, or folders of manifests. */
export async function namedFiles(
  host: Host,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const files = await Promise.all(
    names.map(async (name) => {
      const path = isAbsolute(name) ? name : join(folder, name)
      const info = await host.fileInfo(path)
      if (info === undefined) throw new CommandError(`--apply: there is no file ${name}`)
      if (!info.isDirectory) return [path]
      const listed = await host.listDirectory(path)
      return listed.filter((each) => isManifest(each)).map((each) => join(path, each))
    }),
  )
  return files.flat()
}

/** Applies the objects of files with server-side apply; calls `onApplied` for each one. */
export async function applyFiles(
  {
    host,
    client,
    namespace,
  }: { readonly host: Host; readonly client: Client; readonly namespace: string },
  files: readonly string[],
  onApplied: (what: string) => void,
): Promise<void> {
  const resources = await ApiResources.read(client)
  for (const file of files) {
    for (const object of objectsIn(file, new TextDecoder().decode(await host.readFile(file)))) {
      const resource = resources.ofObject(object)
      if (resource === undefined) {
        throw new CommandError(
          `${file}: the cluster has no kind ${object.kind} in ${object.apiVersion}`,
          {
            hint: 'check the apiVersion, and that the operator of this kind is running',
          },
        )
      }
      const place =
        resource.scope === 'Cluster' ? undefined : (object.metadata.namespace ?? namespace)
      await client.apply(resource, place === undefined ? object : within(object, place), {
        fieldManager: 'setpoint-dev',
        force: true,
      })
      onApplied(
        `${object.kind} ${object.metadata.name} of ${relative(dirname(dirname(file)), file)}`,
      )
    }
  }
}

function within(object: ApiObject, namespace: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function objectsIn(file: string, text: string): ApiObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new CommandError(`${file}: ${error.message}`)
    const object = valueOf(file, document)
    if (object === null) return []
    const { apiVersion, kind, metadata } = object
    if (apiVersion === undefined || kind === undefined || metadata?.name === undefined) {
      throw new CommandError(`${file}: an object needs apiVersion, kind and metadata.name`)
    }
    return [{ ...object, apiVersion, kind, metadata }]
  })
}

function valueOf(file: string, document: Document.Parsed): Partial<ApiObject> | null {
  try {
    return document.toJS() as Partial<ApiObject> | null
  } catch (cause) {
    // An unresolved alias, or so many that parsing them would exhaust the memory.
    throw new CommandError(`${file}: ${(cause as Error).message}`, { cause })
  }
}
