import type { Propagation } from 'setpoint/client'
import { type ApiObject, type ApiResource, typeTitleOf } from '../api-resources.ts'
import { readDurationMs } from '../go-duration.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, serverWords, serverWordsWhen } from '../kubectl-problem.ts'
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

/** An object that is to go. */
interface Doomed {
  readonly resource: ApiResource
  readonly name: string
  readonly namespace: string | undefined
  /** The file it comes from. */
  readonly source?: string
}

/** How often is looked whether an object is gone. */
const lookMs = 100

/** `kubectl delete`: deletes, says so, and waits until the objects are gone. */
export async function remove(session: KubectlSession): Promise<void> {
  const { line } = session
  const doomed = await doomedObjects(session)
  const waiting: (Doomed & { uid: string })[] = []
  for (const one of doomed) {
    const { source } = one
    const words = (error: unknown): string | undefined =>
      source === undefined
        ? serverWords(error)
        : serverWordsWhen(`deleting ${JSON.stringify(source)}`, error)
    await session.attempt(async () => {
      const uid = await deleteOne(session, one)
      if (uid !== undefined) waiting.push({ ...one, uid })
    }, words)
  }
  const isSelected = line.isSet('selector') || line.isOn('all')
  if (doomed.length === 0 && isSelected && session.exitCode === 0) {
    session.print('No resources found')
  }
  if (line.isOn('wait', true)) await waitUntilGone(session, waiting)
}

async function doomedObjects(session: KubectlSession): Promise<readonly Doomed[]> {
  const { line, client } = session
  if (line.list('filename').length > 0) {
    const manifests = await readManifests(session)
    return manifests.map(({ resource, object: { metadata }, source }) => {
      return { resource, name: metadata.name, namespace: metadata.namespace, source }
    })
  }
  if (line.words.length === 0) throw nothingNamed()
  const found: Doomed[] = []
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

function nothingNamed(): KubectlProblem {
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

/** Deletes an object and says so; gives its uid, unless it did not exist and need not. */
async function deleteOne(
  session: KubectlSession,
  { resource, name, namespace }: Doomed,
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
    // The answer to a second question has the server's words.
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

/** From the object on its way out, or from the status of one that is gone. */
function uidOf(answer: object): string | undefined {
  const { metadata, details } = answer as Partial<ApiObject> & { details?: { uid?: string } }
  return metadata?.uid ?? details?.uid
}

async function waitUntilGone(
  session: KubectlSession,
  waiting: readonly (Doomed & { uid: string })[],
): Promise<void> {
  const { client, host, line, signal } = session
  const limitMs = readDurationMs(line.text('timeout') ?? '0', 'timeout')
  const endMs = limitMs <= 0 ? Infinity : host.monotonicMs() + limitMs
  for (const { resource, name, namespace, uid } of waiting) {
    const look = async (): Promise<boolean> => {
      try {
        const { metadata } = await client.get(resource, { name, namespace }, { signal })
        return metadata.uid !== uid
      } catch (error) {
        if (isNotFound(error)) return true
        throw error
      }
    }
    await session.attempt(async () => {
      while (!(await look())) {
        if (host.monotonicMs() >= endMs) {
          throw new KubectlProblem(
            `error: timed out waiting for the condition on ${resource.plural}/${name}`,
          )
        }
        await host.sleep(lookMs, signal)
      }
    })
  }
}
