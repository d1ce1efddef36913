import { isSetpointError } from 'setpoint'
import type { Client } from 'setpoint/client'
import { conditionOf, Deployment, Pod } from 'setpoint/kinds'
import type { CommandContext } from '../command/index.ts'
import { type ManifestSettings, podSelector } from '../manifests/index.ts'

/** How a rollout came out. */
export interface Rollout {
  readonly isDone: boolean
  /** How far it is, in words. */
  readonly progress: string
  /** What keeps pods from being ready. */
  readonly reasons: readonly string[]
}

const lookMs = 1000

/** Waits until the operators' pods are those of the newest template and ready; says meanwhile what keeps them. */
export async function waitForRollout(
  { host, terminal, signal }: CommandContext,
  client: Client,
  { settings, timeoutMs }: { readonly settings: ManifestSettings; readonly timeoutMs: number },
): Promise<Rollout> {
  const endMs = host.monotonicMs() + timeoutMs
  let told = ''
  for (;;) {
    const { isFailed, ...rollout } = await look(client, settings)
    if (rollout.isDone) return rollout
    if (isFailed || host.monotonicMs() >= endMs) {
      return { ...rollout, reasons: [...rollout.reasons, ...(await lastWords(client, settings))] }
    }
    const line = [rollout.progress, ...rollout.reasons].join('; ')
    if (line !== told) terminal.note(terminal.style.dim(line))
    told = line
    await host.sleep(lookMs, signal)
  }
}

async function look(
  client: Client,
  settings: ManifestSettings,
): Promise<Rollout & { readonly isFailed: boolean }> {
  const { name, namespace } = settings
  const deployment = await client.find(Deployment, { name, namespace })
  const progressing = deployment === undefined ? undefined : conditionOf(deployment, 'Progressing')
  return {
    isDone: Deployment.isRolledOut(deployment),
    progress: Deployment.progress(deployment),
    reasons: (await unreadyPods(client, settings)).map(
      (pod) => `pod ${pod.metadata.name}: ${Pod.progress(pod)}`,
    ),
    isFailed: progressing?.reason === 'ProgressDeadlineExceeded',
  }
}

async function unreadyPods(client: Client, settings: ManifestSettings): Promise<Pod[]> {
  const pods = await client.listAll(Pod, {
    namespace: settings.namespace,
    labelSelector: podSelector(settings),
  })
  return pods.filter((pod) => !Pod.isReady(pod) && pod.metadata.deletionTimestamp === undefined)
}

const lastLines = 5

/** What a pod that ended said last: mostly why. */
async function lastWords(client: Client, settings: ManifestSettings): Promise<string[]> {
  const pods = await unreadyPods(client, settings)
  const crashed = pods.find(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0)
  if (crashed === undefined) return []
  const lines: string[] = []
  try {
    const options = { previous: true, tailLines: lastLines }
    for await (const line of client.logs(crashed.metadata, options)) lines.push(line)
  } catch (error) {
    // A log that cannot be had is no reason to fail in another way.
    if (!isSetpointError(error)) throw error
  }
  return lines.map((line) => `its log: ${line}`)
}
