import type { ApiObject } from '../api-resources.ts'
import { readDurationMs } from '../go-duration.ts'
import type { FlagDeclarations, KubectlLine } from '../kubectl-flags.ts'
import { KubectlProblem, serverMessage } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { objectPath } from '../paths.ts'
import { isNotFound } from '../targets.ts'

/** The flags of `logs`. */
export const logsFlags: FlagDeclarations = {
  follow: { form: 'yes', short: 'f' },
  container: { form: 'text', short: 'c' },
  'all-containers': { form: 'yes' },
  tail: { form: 'text' },
  since: { form: 'text' },
  previous: { form: 'yes', short: 'p' },
  timestamps: { form: 'yes' },
  selector: { form: 'text', short: 'l' },
  prefix: { form: 'yes' },
}

interface PodSpec {
  readonly containers: readonly { readonly name: string }[]
  readonly initContainers?: readonly { readonly name: string }[]
}

/** `kubectl logs`: prints the logs of a pod, or of a pod of a workload. */
export async function logs(session: KubectlSession): Promise<void> {
  const { line } = session
  const [word, container, ...more] = line.words
  const selector = line.text('selector')
  if ((word === undefined) === (selector === undefined) || more.length > 0) {
    throw new KubectlProblem(
      "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples",
    )
  }
  const found =
    selector === undefined ? [await podOf(session, word ?? '')] : await podsBy(session, selector)
  if (found.length === 0)
    session.terminal.printProgress(`No resources found in ${session.namespace} namespace.`)
  const streams = found.flatMap((pod) =>
    containersOf(session, pod, container).map((name) => ({ pod, name })),
  )
  // Followed logs are printed concurrently, others one after the other.
  if (line.isOn('follow')) await Promise.all(streams.map(async (each) => copyLog(session, each)))
  else for (const each of streams) await copyLog(session, each)
}

async function podsBy(session: KubectlSession, labelSelector: string): Promise<ApiObject[]> {
  const pods = (await session.resources()).named('pods')
  return session.client.listAll(pods, { namespace: session.namespace, labelSelector })
}

/** The pod of an argument: by its name, or the first one of a workload. */
async function podOf(session: KubectlSession, word: string): Promise<ApiObject> {
  const { client, namespace } = session
  const resources = await session.resources()
  const [type = '', name] = word.split('/')
  const resource = name === undefined ? resources.named('pods') : resources.named(type)
  const reference = { name: name ?? word, namespace }
  const isPod = resource.plural === 'pods' && resource.group === ''
  let object: ApiObject
  try {
    object = await client.get(resource, reference)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const message = (serverMessage(error) ?? '').replace(/^E/, 'e')
    throw new KubectlProblem(`error: ${message} in namespace ${JSON.stringify(namespace)}`)
  }
  if (isPod) return object
  const selector = selectorOf(object)
  if (selector === '') {
    throw new KubectlProblem(
      `error: cannot get the logs from ${resource.apiVersion}, Kind=${resource.kind}: selector for ${resource.kind.toLowerCase()} not implemented`,
    )
  }
  const pods = await podsBy(session, selector)
  const [first, ...others] = pods
  if (first === undefined) {
    throw new KubectlProblem('error: timed out waiting for the condition')
  }
  if (others.length > 0) {
    session.terminal.printProgress(`Found ${pods.length} pods, using pod/${first.metadata.name}`)
  }
  return first
}

/** The labels of the pods of a workload or a service, as a selector. */
function selectorOf({ kind, spec }: ApiObject): string {
  const { selector = {} } = (spec ?? {}) as { selector?: Record<string, unknown> }
  const hasPlain = kind === 'Service' || kind === 'ReplicationController'
  const labels = (hasPlain ? selector : (selector['matchLabels'] ?? {})) as Record<string, string>
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

function containersOf(
  { line, terminal }: KubectlSession,
  pod: ApiObject,
  named: string | undefined,
): readonly string[] {
  const { containers, initContainers = [] } = pod['spec'] as PodSpec
  const names = containers.map(({ name }) => name)
  if (line.isOn('all-containers')) return [...initContainers.map(({ name }) => name), ...names]
  const chosen = line.text('container') ?? named
  const known = [...names, ...initContainers.map(({ name }) => name)]
  if (chosen !== undefined && known.includes(chosen)) return [chosen]
  if (chosen !== undefined) {
    const { name } = pod.metadata
    throw new KubectlProblem(
      `error: container ${chosen} is not valid for pod ${name} out of: ${known.join(', ')}`,
    )
  }
  const preset = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']
  if (preset !== undefined && names.includes(preset)) return [preset]
  const all = [...names, ...initContainers.map(({ name }) => `${name} (init)`)]
  if (all.length > 1) {
    terminal.printProgress(
      `Defaulted container ${JSON.stringify(names[0])} out of: ${all.join(', ')}`,
    )
  }
  return names.slice(0, 1)
}

async function copyLog(
  session: KubectlSession,
  { pod, name }: { pod: ApiObject; name: string },
): Promise<void> {
  const { client, line, signal, terminal } = session
  const pods = (await session.resources()).named('pods')
  const { name: podName, namespace } = pod.metadata
  await session.attempt(async () => {
    try {
      const stream = await client.transport.stream({
        method: 'GET',
        path: `${objectPath(pods, { namespace, name: podName })}/log`,
        query: { container: name, ...logQuery(line) },
        headers: { accept: 'text/plain, application/json' },
        what: `log of ${podName}`,
        signal,
      })
      const decoder = new TextDecoder()
      const prefix = line.isOn('prefix') ? `[pod/${podName}/${name}] ` : ''
      for await (const chunk of stream.body) {
        const text = decoder.decode(chunk, { stream: true })
        terminal.draw(prefix === '' ? text : text.replace(/^(?=.)/gm, prefix))
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
}

function logQuery(line: KubectlLine): Record<string, string | number | boolean | undefined> {
  const since = line.text('since')
  const tail = line.text('tail')
  const isTailed = tail !== undefined && Number(tail) >= 0
  return {
    follow: line.isOn('follow') ? true : undefined,
    previous: line.isOn('previous') ? true : undefined,
    timestamps: line.isOn('timestamps') ? true : undefined,
    // With a selector kubectl prints the last ten lines by default.
    tailLines: isTailed
      ? Number(tail)
      : line.isSet('selector') && tail === undefined
        ? 10
        : undefined,
    sinceSeconds:
      since === undefined ? undefined : Math.ceil(readDurationMs(since, 'since') / 1000),
  }
}
