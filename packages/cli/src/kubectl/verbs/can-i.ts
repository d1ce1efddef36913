import { SelfSubjectAccessReview } from 'setpoint/kinds'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, unsupported } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'

/** The flags of `auth`. */
export const authFlags: FlagDeclarations = {
  subresource: { form: 'text' },
  quiet: { form: 'yes', short: 'q' },
  'all-namespaces': { form: 'yes', short: 'A' },
}

/** `kubectl auth can-i VERB KIND [NAME]`: prints whether it is allowed; exits with 1 if not. */
export async function auth(session: KubectlSession): Promise<void> {
  const { client, line } = session
  const [command, verb, what, name] = line.words
  if (command !== 'can-i') throw unsupported(`auth ${command ?? ''}`.trim())
  if (verb === undefined || what === undefined) {
    throw new KubectlProblem(
      'error: you must specify two arguments: verb resource or verb resource/resourceName.',
    )
  }
  const spec = what.startsWith('/')
    ? { nonResourceAttributes: { verb, path: what } }
    : { resourceAttributes: await attributesOf(session, { verb, what, name }) }
  const { status } = await client.create(SelfSubjectAccessReview, { metadata: {}, spec })
  const isAllowed = status?.allowed === true
  if (!isAllowed) session.failQuietly()
  if (line.isOn('quiet')) return
  const why = status?.reason === undefined || status.reason === '' ? '' : ` - ${status.reason}`
  session.print(isAllowed ? 'yes' : `no${why}`)
}

async function attributesOf(
  session: KubectlSession,
  { verb, what, name }: { verb: string; what: string; name: string | undefined },
): Promise<Record<string, string>> {
  const { line } = session
  const [type = '', slashed] = what.split('/')
  const resource = (await session.resources()).find(type)
  if (resource === undefined && type !== '*') {
    session.terminal.printProgress(`Warning: the server doesn't have a resource type '${type}'`)
  }
  if (resource?.scope === 'Cluster') {
    const group = resource.group === '' ? '' : ` in group '${resource.group}'`
    session.terminal.printProgress(
      `Warning: resource '${resource.plural}' is not namespace scoped${group}\n`,
    )
  }
  const isAllNamespaces = line.isOn('all-namespaces') || resource?.scope === 'Cluster'
  return {
    verb,
    group: resource?.group ?? (type === '*' ? '*' : ''),
    resource: resource?.plural ?? type,
    subresource: line.text('subresource') ?? '',
    name: slashed ?? name ?? '',
    namespace: isAllNamespaces ? '' : session.namespace,
  }
}
