import { isSetpointError } from 'setpoint'
import type { Client } from 'setpoint/client'
import { conditionOf, Deployment, isTerminating, Pod } from 'setpoint/kinds'
import type { CommandContext } from '../command/index.ts'
import { type ManifestSettings, podSelector } from '../generate/index.ts'

/** The result of a rollout. */
export interface Rollout {
  readonly isDone: boolean
  /** The progress as a sentence. */
  readonly progress: string
  /** Why pods are not ready. */
  readonly reasons: readonly string[]
}

const pollMs = 1000

/** Waits until the Deployment is rolled out; prints its progress and why pods are not ready. */
export async function waitForRollout(
  { host, terminal, signal }: CommandContext,
  client: Client,
  { settings, timeoutMs }: { readonly settings: ManifestSettings; readonly timeoutMs: number },
): Promise<Rollout> {
  const endMs = host.monotonicMs() + timeoutMs
  let printed = ''
  for (;;) {
    const { isFailed, ...rollout } = await readRollout(client, settings)
    if (rollout.isDone) return rollout
    if (isFailed || host.monotonicMs() >= endMs) {
      return { ...rollout, reasons: [...rollout.reasons, ...(await crashLog(client, settings))] }
    }
    const line = [rollout.progress, ...rollout.reasons].join('; ')
    if (line !== printed) terminal.printProgress(terminal.style.dim(line))
    printed = line
    await host.sleep(pollMs, signal)
  }
}

async function readRollout(
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
  return pods.filter((pod) => !Pod.isReady(pod) && !isTerminating(pod))
}

const lastLines = 5

/** The last log lines of a crashed pod. */
async function crashLog(client: Client, settings: ManifestSettings): Promise<string[]> {
  const pods = await unreadyPods(client, settings)
  const crashed = pods.find(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0)
  if (crashed === undefined) return []
  const lines: string[] = []
  try {
    const options = { previous: true, tailLines: lastLines }
    for await (const line of client.logs(crashed.metadata, options)) lines.push(line)
  } catch (error) {
    // Without the log the other reasons are reported.
    if (!isSetpointError(error)) throw error
  }
  return lines.map((line) => `log: ${line}`)
}
