import { type ApiObject, type ApiResource, titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags, readManifests } from '../manifest-files.ts'
import { selectionOf } from '../paths.ts'
import { namespaceFor, readTargets, type Target } from '../targets.ts'

/** The flags of `label` and `annotate`. */
export const labelFlags: FlagDeclarations = {
  ...manifestFlags,
  overwrite: { form: 'yes' },
  all: { form: 'yes' },
  'all-namespaces': { form: 'yes', short: 'A' },
  selector: { form: 'text', short: 'l' },
}

/** `kubectl label`. */
export async function label(session: KubectlSession): Promise<void> {
  await mark(session, 'labels')
}

/** `kubectl annotate`. */
export async function annotate(session: KubectlSession): Promise<void> {
  await mark(session, 'annotations')
}

/** Labels to set and to remove: `team=a tier-`. */
interface LabelChanges {
  readonly set: ReadonlyMap<string, string>
  readonly removed: readonly string[]
}

async function mark(session: KubectlSession, field: 'labels' | 'annotations'): Promise<void> {
  const { line } = session
  const first = line.words.findIndex(
    (word, at) => at > 0 && /=|-$/.test(word) && !word.includes('/-'),
  )
  const changes = readLabelChanges(first === -1 ? [] : line.words.slice(first))
  const named = first === -1 ? line.words : line.words.slice(0, first)
  if (changes.set.size === 0 && changes.removed.length === 0) {
    throw new KubectlProblem(`error: at least one ${field.slice(0, -1)} update is required`)
  }
  for (const { resource, object } of await markedObjects(session, named)) {
    await session.attempt(async () => {
      const what = await changeOne(session, { resource, object }, { field, changes })
      session.print(`${titleOf(resource, object.metadata.name)} ${what}`)
    })
  }
}

function readLabelChanges(words: readonly string[]): LabelChanges {
  const set = new Map<string, string>()
  const removed: string[] = []
  for (const word of words) {
    const at = word.indexOf('=')
    if (at !== -1) set.set(word.slice(0, at), word.slice(at + 1))
    else removed.push(word.replace(/-$/, ''))
  }
  return { set, removed }
}

async function markedObjects(
  session: KubectlSession,
  words: readonly string[],
): Promise<{ resource: ApiResource; object: ApiObject }[]> {
  const { client, line } = session
  const targets: readonly Target[] =
    line.list('filename').length > 0
      ? (await readManifests(session)).map(({ resource, object }) => {
          return { resource, names: [object.metadata.name] }
        })
      : await readTargets(session, words)
  const found: { resource: ApiResource; object: ApiObject }[] = []
  for (const { resource, names } of targets) {
    const namespace = namespaceFor(resource, session)
    if (names.length === 0) {
      if (!line.isOn('all') && !line.isSet('selector')) {
        throw new KubectlProblem('error: resource(s) were provided, but no name was specified')
      }
      const objects = await client.listAll(resource, { namespace, ...selectionOf(line) })
      found.push(...objects.map((object) => ({ resource, object })))
    }
    for (const name of names) {
      await session.attempt(async () => {
        found.push({ resource, object: await client.get(resource, { name, namespace }) })
      })
    }
  }
  return found
}

async function changeOne(
  session: KubectlSession,
  { resource, object }: { resource: ApiResource; object: ApiObject },
  { field, changes }: { field: 'labels' | 'annotations'; changes: LabelChanges },
): Promise<string> {
  const { client, line } = session
  const has = object.metadata[field] ?? {}
  for (const [name, value] of changes.set) {
    const old = has[name]
    if (old === undefined || old === value || line.isOn('overwrite')) continue
    throw new KubectlProblem(
      field === 'labels'
        ? `error: '${name}' already has a value (${old}), and --overwrite is false`
        : `error: --overwrite is false but found the following declared annotation(s): '${name}' already has a value (${old})`,
    )
  }
  const changed = [...changes.set].filter(([name, value]) => has[name] !== value)
  const gone = changes.removed.filter((name) => has[name] !== undefined)
  for (const name of changes.removed) {
    if (field === 'labels' && has[name] === undefined) session.print(`label "${name}" not found.`)
  }
  if (changed.length > 0 || gone.length > 0) {
    const values = {
      ...Object.fromEntries(changed),
      ...Object.fromEntries(gone.map((name) => [name, null])),
    }
    const { name, namespace } = object.metadata
    const fieldManager = field === 'labels' ? 'kubectl-label' : 'kubectl-annotate'
    await client.patch(
      resource,
      { name, namespace },
      { merge: { metadata: { [field]: values } }, fieldManager },
    )
  }
  if (field === 'annotations') return 'annotated'
  if (changed.length > 0) return 'labeled'
  return gone.length > 0 ? 'unlabeled' : 'not labeled'
}
