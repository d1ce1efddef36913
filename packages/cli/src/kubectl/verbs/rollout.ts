import { type ApiObject, titleOf } from '../api-resources.ts'
import { readDurationMs } from '../go-duration.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, unsupported } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { rolloutProgress } from '../rollout-progress.ts'
import { namespaceFor, readTargets, type Target } from '../targets.ts'

/** The flags of `rollout`. */
export const rolloutFlags: FlagDeclarations = {
  watch: { form: 'yes', short: 'w' },
  timeout: { form: 'text' },
}

/** How often the rollout is read. */
const pollMs = 100

/** `kubectl rollout status` and `restart`. */
export async function rollout(session: KubectlSession): Promise<void> {
  const [command = '', ...words] = session.line.words
  if (command !== 'status' && command !== 'restart') throw unsupported(`rollout ${command}`.trim())
  const targets = words.length === 0 ? [] : await readTargets(session, words)
  if (targets.length === 0 || targets.some(({ names }) => names.length === 0)) {
    throw new KubectlProblem('error: required resource not specified')
  }
  for (const target of targets) {
    for (const name of target.names) {
      await session.attempt(async () =>
        command === 'restart' ? restart(session, target, name) : status(session, target, name),
      )
    }
  }
}

async function restart(session: KubectlSession, { resource }: Target, name: string): Promise<void> {
  const { client, host } = session
  const at = new Date(host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const annotations = { 'kubectl.kubernetes.io/restartedAt': at }
  const namespace = namespaceFor(resource, session)
  await client.patch(
    resource,
    { name, namespace },
    {
      strategic: { spec: { template: { metadata: { annotations } } } },
      fieldManager: 'kubectl-rollout',
    },
  )
  session.print(`${titleOf(resource, name)} restarted`)
}

/** Prints the progress until the rollout is complete. */
async function status(session: KubectlSession, { resource }: Target, name: string): Promise<void> {
  const { client, host, line, signal } = session
  const namespace = namespaceFor(resource, session)
  const limitMs = readDurationMs(line.text('timeout') ?? '0', 'timeout')
  const endMs = limitMs <= 0 ? Infinity : host.monotonicMs() + limitMs
  for (let printed = ''; ;) {
    const object: ApiObject = await client.get(resource, { name, namespace }, { signal })
    const { isDone, text } = rolloutProgress(object)
    if (text !== printed) session.print(text)
    printed = text
    if (isDone || !line.isOn('watch', true)) return
    if (host.monotonicMs() >= endMs) {
      throw new KubectlProblem('error: timed out waiting for the condition')
    }
    await host.sleep(pollMs, signal)
  }
}
