import { SetpointError, type AnyResourceDefinition } from 'setpoint'
import type { Files } from 'setpoint/host'
import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { parseAllDocuments } from 'yaml'
import type { Sample } from './step.ts'

/** Objects, or a YAML file with them. */
export type Samples = string | URL | Sample | readonly Sample[]

/** The objects that exist before the workload, and the one that it is about. */
interface ReadSamples {
  readonly subject: Sample
  readonly others: readonly Sample[]
}

/** Reads the samples. The first one of the resource is the subject of the workload. */
export async function readSamples(
  samples: Samples,
  definition: AnyResourceDefinition,
  files: Pick<Files, 'readFile'>,
): Promise<ReadSamples> {
  const all =
    typeof samples === 'string' || samples instanceof URL
      ? await readFile(samples, files)
      : Array.isArray(samples)
        ? (samples as readonly Sample[])
        : [samples as Sample]
  const isSubject = ({ apiVersion, kind }: Sample): boolean =>
    (apiVersion ?? definition.apiVersion) === definition.apiVersion &&
    (kind ?? definition.kind) === definition.kind
  const subject = all.find(isSubject)
  if (subject === undefined) {
    throw new SetpointError(
      'OPERATOR_INVALID',
      `simulate needs a sample of ${definition.kind}, and there is none`,
      { hint: `add an object of ${definition.apiVersion} ${definition.kind} to the samples` },
    )
  }
  return { subject, others: all.filter((sample) => sample !== subject) }
}

async function readFile(path: string | URL, files: Pick<Files, 'readFile'>): Promise<Sample[]> {
  const name = typeof path === 'string' ? path : decodeURIComponent(path.pathname)
  const text = new TextDecoder().decode(await files.readFile(name))
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) {
      throw new SetpointError('OPERATOR_INVALID', `${name} is not YAML: ${error.message}`, {
        hint: 'correct the sample',
      })
    }
    const value = document.toJS() as JsonObject | null
    if (value === null) return []
    if (!isJsonObject(value) || !isJsonObject(value['metadata'])) {
      throw new SetpointError('OPERATOR_INVALID', `${name} has a document without metadata`, {
        hint: 'every document must be a Kubernetes object',
      })
    }
    return [value as unknown as Sample]
  })
}
