import { titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags, readManifests } from '../manifest-files.ts'
import { namespaceFor, readTargets, type Target } from '../targets.ts'

/** The flags of `scale`. */
export const scaleFlags: FlagDeclarations = { ...manifestFlags, replicas: { form: 'text' } }

/** `kubectl scale`: sets the number of replicas. */
export async function scale(session: KubectlSession): Promise<void> {
  const { client, line } = session
  const given = line.text('replicas')
  if (given === undefined) throw new KubectlProblem('error: required flag(s) "replicas" not set')
  const replicas = Number(given)
  if (!Number.isInteger(replicas) || replicas < 0) {
    throw new KubectlProblem(
      'error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
    )
  }
  for (const { resource, names } of await namedTargets(session)) {
    const namespace = namespaceFor(resource, session)
    for (const name of names) {
      await session.attempt(async () => {
        await client.setScale(
          resource,
          { name, namespace },
          { replicas, fieldManager: 'kubectl-scale' },
        )
        session.print(`${titleOf(resource, name)} scaled`)
      })
    }
  }
}

/** The targets of a command that changes objects: objects of files, or named objects. */
export async function namedTargets(session: KubectlSession): Promise<readonly Target[]> {
  const { line } = session
  if (line.list('filename').length > 0) {
    const manifests = await readManifests(session)
    return manifests.map(({ resource, object }) => ({ resource, names: [object.metadata.name] }))
  }
  const targets = line.words.length === 0 ? [] : await readTargets(session, line.words)
  if (targets.every(({ names }) => names.length > 0) && targets.length > 0) return targets
  throw new KubectlProblem('error: resource(s) were provided, but no name was specified')
}
