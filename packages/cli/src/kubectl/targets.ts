import { type ApiResource, groupResourceOf } from './api-resources.ts'
import { KubectlProblem } from './kubectl-problem.ts'
import type { KubectlSession } from './kubectl-session.ts'

/** A kind with the names of objects; without names all objects. */
export interface Target {
  readonly resource: ApiResource
  readonly names: readonly string[]
}

/**
 * The objects of arguments: `pods`, `pod web db`, `pods,services`, `all`, `pod/web deployment/db`.
 * Kinds are in the order of the arguments.
 */
export async function readTargets(
  session: KubectlSession,
  words: readonly string[],
): Promise<readonly Target[]> {
  const resources = await session.resources()
  const [types = '', ...names] = words
  if (words.some((word) => word.includes('/'))) return slashedTargets(session, words)
  return types.split(',').flatMap((type) => {
    const category = resources.find(type) === undefined ? resources.inCategory(type) : []
    const kinds = category.length === 0 ? [resources.named(type)] : category
    return kinds.map((resource) => ({ resource, names }))
  })
}

async function slashedTargets(
  session: KubectlSession,
  words: readonly string[],
): Promise<readonly Target[]> {
  const resources = await session.resources()
  return words.map((word) => {
    const [type = '', name = '', ...more] = word.split('/')
    if (name === '' || type === '' || more.length > 0) {
      throw new KubectlProblem(
        word.includes('/')
          ? `error: arguments in resource/name form may not have more than one slash`
          : `error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`,
      )
    }
    return { resource: resources.named(type), names: [name] }
  })
}

/** Whether the output must name the kind of each object. */
export function hasSeveralKinds(targets: readonly Target[], words: readonly string[]): boolean {
  if (words.length === 1 && words[0] === 'all') return true
  if (words[0]?.includes(',') === true) return true
  return new Set(targets.map(({ resource }) => groupResourceOf(resource))).size > 1
}

/** The namespace of requests; undefined for cluster-scoped kinds and for `--all-namespaces`. */
export function namespaceFor(
  { scope }: ApiResource,
  { line, namespace }: KubectlSession,
): string | undefined {
  return scope === 'Cluster' || line.isOn('all-namespaces') ? undefined : namespace
}

/** A missing object is a failure, except with `--ignore-not-found`. */
export async function attemptFound(
  session: KubectlSession,
  work: () => Promise<void>,
): Promise<void> {
  await session.attempt(async () => {
    try {
      await work()
    } catch (error) {
      if (!session.line.isOn('ignore-not-found') || !isNotFound(error)) throw error
    }
  })
}

/** Whether the server returned 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'API_NOT_FOUND'
}
