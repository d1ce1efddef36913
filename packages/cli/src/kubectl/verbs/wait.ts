import { jsonEquals, type JsonValue } from 'setpoint/schema'
import { type ApiObject, titleOf } from '../api-resources.ts'
import { readDurationMs } from '../go-duration.ts'
import { followSteps } from '../print/json-path-steps.ts'
import { readRelaxedPath, valueText } from '../print/json-path-template.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags, readManifests } from '../manifest-files.ts'
import type { PrintedObject } from '../print/object-printer.ts'
import { selectionOf } from '../paths.ts'
import { isNotFound, namespaceFor, readTargets } from '../targets.ts'

/** The flags of `wait`. */
export const waitFlags: FlagDeclarations = {
  ...manifestFlags,
  for: { form: 'text' },
  timeout: { form: 'text' },
  selector: { form: 'text', short: 'l' },
  'field-selector': { form: 'text' },
  all: { form: 'yes' },
  'all-namespaces': { form: 'yes', short: 'A' },
}

/** Whether an object, or its absence, meets the condition. */
type IsMet = (object: ApiObject | undefined) => boolean

/** The condition, its deadline, and the error message after the deadline. */
interface WaitCondition {
  readonly isMet: IsMet
  readonly endMs: number
  readonly condition: string
  readonly late: string
}

/** How often the objects are read. */
const pollMs = 100

/** `kubectl wait`: waits for conditions, field values, creation or deletion. */
export async function wait(session: KubectlSession): Promise<void> {
  const { line, host } = session
  const condition = line.text('for') ?? ''
  const isMet = readCondition(condition)
  const limitMs = readDurationMs(line.text('timeout') ?? '30s', 'timeout')
  const endMs = limitMs < 0 ? Infinity : host.monotonicMs() + limitMs
  const late = limitMs === 0 ? 'condition not met for' : 'timed out waiting for the condition on'
  const objects = await objectsOf(session, condition)
  for (const each of objects) {
    await session.attempt(async () => waitFor(session, each, { isMet, endMs, condition, late }))
  }
}

type Waited = Omit<PrintedObject, 'object'> & {
  readonly name: string
  readonly namespace: string | undefined
}

async function objectsOf(session: KubectlSession, condition: string): Promise<readonly Waited[]> {
  const { client, line } = session
  if (line.list('filename').length > 0) {
    const manifests = await readManifests(session)
    return manifests.map(({ resource, object: { metadata } }) => {
      return { resource, name: metadata.name, namespace: metadata.namespace }
    })
  }
  const found: Waited[] = []
  for (const { resource, names } of await readTargets(session, line.words)) {
    const namespace = namespaceFor(resource, session)
    found.push(...names.map((name) => ({ resource, name, namespace })))
    if (names.length > 0) continue
    const objects = await client.listAll(resource, { namespace, ...selectionOf(line) })
    found.push(
      ...objects.map(({ metadata }) => {
        return { resource, name: metadata.name, namespace: metadata.namespace }
      }),
    )
  }
  if (found.length === 0 && condition !== 'delete') {
    throw new KubectlProblem('error: no matching resources found')
  }
  return found
}

async function waitFor(
  session: KubectlSession,
  { resource, name, namespace }: Waited,
  { isMet, endMs, condition, late }: WaitCondition,
): Promise<void> {
  const { client, host, signal } = session
  let isFirst = true
  for (;;) {
    let object: ApiObject | undefined
    try {
      object = await client.get(resource, { name, namespace }, { signal })
    } catch (error) {
      if (!isNotFound(error) || (isFirst && condition !== 'delete' && condition !== 'create'))
        throw error
    }
    if (isMet(object)) {
      // An object that never existed is not reported as deleted.
      if (isFirst && condition === 'delete') return
      session.print(`${titleOf(resource, name)} condition met`)
      return
    }
    isFirst = false
    if (host.monotonicMs() >= endMs) {
      throw new KubectlProblem(`error: ${late} ${resource.plural}/${name}`)
    }
    await host.sleep(pollMs, signal)
  }
}

function readCondition(condition: string): IsMet {
  if (condition.toLowerCase() === 'delete') return (object) => object === undefined
  if (condition.toLowerCase() === 'create') return (object) => object !== undefined
  if (condition.startsWith('condition=')) {
    const [type = '', value = 'true'] = condition.slice('condition='.length).split('=')
    return (object) => object !== undefined && hasCondition(object, type, value)
  }
  if (condition.startsWith('jsonpath=')) return readField(condition.slice('jsonpath='.length))
  throw new KubectlProblem(`error: unrecognized condition: ${JSON.stringify(condition)}`)
}

/** A condition of an older generation does not count. */
function hasCondition({ metadata, status }: ApiObject, type: string, value: string): boolean {
  const { conditions = [] } = (status ?? {}) as {
    conditions?: { type: string; status: string; observedGeneration?: number }[]
  }
  return conditions.some(
    (each) =>
      each.type.toLowerCase() === type.toLowerCase() &&
      each.status.toLowerCase() === value.toLowerCase() &&
      (each.observedGeneration === undefined ||
        each.observedGeneration >= (metadata.generation ?? 0)),
  )
}

function readField(text: string): IsMet {
  const [, path = text, value] = /^(.*?\}|'[^']*'|[^=]*)=(.*)$/su.exec(text) ?? []
  const steps = readRelaxedPath(path.replace(/^'(.*)'$/su, '$1'))
  const expected = value?.replace(/^(['"])(.*)\1$/su, '$2')
  return (object) => {
    if (object === undefined) return false
    const found = followSteps(steps, object as JsonValue)
    if (expected === undefined) return found.length > 0
    return found.length === 1 && jsonEquals(found.map(valueText), [expected])
  }
}
