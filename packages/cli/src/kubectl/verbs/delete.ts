import type { Propagation } from 'setpoint/client'
import { type ApiObject, type ApiResource, typeTitleOf } from '../api-resources.ts'
import { readDurationMs } from '../go-duration.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, serverMessage, serverMessageWhen } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags, readManifests } from '../manifest-files.ts'
import { selectionOf } from '../paths.ts'
import { isNotFound, namespaceFor, readTargets } from '../targets.ts'

/** The flags of `delete`. */
export const deleteFlags: FlagDeclarations = {
  ...manifestFlags,
  'all-namespaces': { form: 'yes', short: 'A' },
  all: { form: 'yes' },
  selector: { form: 'text', short: 'l' },
  'field-selector': { form: 'text' },
  wait: { form: 'yes' },
  timeout: { form: 'text' },
  'ignore-not-found': { form: 'yes' },
  'grace-period': { form: 'text' },
  now: { form: 'yes' },
  force: { form: 'yes' },
  cascade: { form: 'optional', alone: 'background' },
  output: { form: 'text', short: 'o' },
}

/** An object to delete. */
interface ToDelete {
  readonly resource: ApiResource
  readonly name: string
  readonly namespace: string | undefined
  /** The file it comes from. */
  readonly source?: string
}

/** How often the deletion of an object is checked. */
const pollMs = 100

/** `kubectl delete`: deletes objects and waits until they are deleted. */
export async function remove(session: KubectlSession): Promise<void> {
  const { line } = session
  const objects = await objectsToDelete(session)
  const waiting: (ToDelete & { uid: string })[] = []
  for (const one of objects) {
    const { source } = one
    const messageOf = (error: unknown): string | undefined =>
      source === undefined
        ? serverMessage(error)
        : serverMessageWhen(`deleting ${JSON.stringify(source)}`, error)
    await session.attempt(async () => {
      const uid = await deleteOne(session, one)
      if (uid !== undefined) waiting.push({ ...one, uid })
    }, messageOf)
  }
  const isSelected = line.isSet('selector') || line.isOn('all')
  if (objects.length === 0 && isSelected && session.exitCode === 0) {
    session.print('No resources found')
  }
  if (line.isOn('wait', true)) await waitUntilDeleted(session, waiting)
}

async function objectsToDelete(session: KubectlSession): Promise<readonly ToDelete[]> {
  const { line, client } = session
  if (line.list('filename').length > 0) {
    const manifests = await readManifests(session)
    return manifests.map(({ resource, object: { metadata }, source }) => {
      return { resource, name: metadata.name, namespace: metadata.namespace, source }
    })
  }
  if (line.words.length === 0) throw noResourceError()
  const found: ToDelete[] = []
  for (const { resource, names } of await readTargets(session, line.words)) {
    const namespace = namespaceFor(resource, session)
    found.push(...names.map((name) => ({ resource, name, namespace })))
    if (names.length > 0) continue
    if (!line.isSet('selector') && !line.isOn('all') && !line.isSet('field-selector')) {
      throw new KubectlProblem('error: resource(s) were provided, but no name was specified')
    }
    for (const { metadata } of await client.listAll(resource, {
      namespace,
      ...selectionOf(line),
    })) {
      found.push({ resource, name: metadata.name, namespace: metadata.namespace })
    }
  }
  return found
}

function noResourceError(): KubectlProblem {
  return new KubectlProblem(
    [
      'error: You must provide one or more resources by argument or filename.',
      'Example resource specifications include:',
      "   '-f rsrc.yaml'",
      "   '--filename=rsrc.json'",
      "   '<resource> <name>'",
      "   '<resource>'",
    ].join('\n'),
  )
}

/**
 * Deletes an object and prints it; returns its uid, or undefined if it does not exist and
 * `--ignore-not-found` is set.
 */
async function deleteOne(
  session: KubectlSession,
  { resource, name, namespace }: ToDelete,
): Promise<string | undefined> {
  const { client, line } = session
  const isForced = line.isOn('force')
  const grace = line.isOn('now') ? 1 : isForced ? 0 : Number(line.text('grace-period') ?? -1)
  const answer = await client.beginDelete(
    resource,
    { name, namespace },
    {
      propagation: propagations[line.text('cascade') ?? 'background'] ?? 'Background',
      ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}),
    },
  )
  if (answer === undefined) {
    if (line.isOn('ignore-not-found')) return undefined
    // A get returns the server's 404 message.
    const object = await client.get(resource, { name, namespace })
    return object.metadata.uid
  }
  const where = namespace === undefined ? '' : ` from ${namespace} namespace`
  if (line.text('output') === 'name') session.print(`${typeTitleOf(resource)}/${name}`)
  else {
    const deleted = isForced ? 'force deleted' : 'deleted'
    session.print(`${typeTitleOf(resource)} ${JSON.stringify(name)} ${deleted}${where}`)
  }
  return uidOf(answer)
}

const propagations: Readonly<Record<string, Propagation>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
}

/**
 * The uid in the response to a delete: of the terminating object, or in the Status of a deleted
 * one.
 */
function uidOf(answer: object): string | undefined {
  const { metadata, details } = answer as Partial<ApiObject> & { details?: { uid?: string } }
  return metadata?.uid ?? details?.uid
}

async function waitUntilDeleted(
  session: KubectlSession,
  waiting: readonly (ToDelete & { uid: string })[],
): Promise<void> {
  const { client, host, line, signal } = session
  const limitMs = readDurationMs(line.text('timeout') ?? '0', 'timeout')
  const endMs = limitMs <= 0 ? Infinity : host.monotonicMs() + limitMs
  for (const { resource, name, namespace, uid } of waiting) {
    const isDeleted = async (): Promise<boolean> => {
      try {
        const { metadata } = await client.get(resource, { name, namespace }, { signal })
        return metadata.uid !== uid
      } catch (error) {
        if (isNotFound(error)) return true
        throw error
      }
    }
    await session.attempt(async () => {
      while (!(await isDeleted())) {
        if (host.monotonicMs() >= endMs) {
          throw new KubectlProblem(
            `error: timed out waiting for the condition on ${resource.plural}/${name}`,
          )
        }
        await host.sleep(pollMs, signal)
      }
    })
  }
}
