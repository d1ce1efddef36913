import { SetpointError } from '../../errors/index.ts'
import { durationMs, limitMs } from '../../host/index.ts'
import { isNamespaceName } from '../../kinds/is-namespace-name.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ChildDeclaration, OperatorDeclaration } from './operator-declaration.ts'
import { defaultName } from './operator-identity.ts'
import type { OperatorOptions } from './operator-options.ts'

/** Refuses a child without a valid name or a function, or whose `after` names no earlier child. */
export function checkChild({ kind, children }: OperatorDeclaration, child: ChildDeclaration): void {
  const { name, after = [], desired } = child
  const isKnown = (one: string): boolean => children.some((other) => other.name === one)
  const quoted = `a child whose name ${JSON.stringify(name)}`
  const uniqueHint = 'give every child of an operator a short name of its own'
  if (!/^[a-z]([-a-zA-Z0-9]{0,30}[a-zA-Z0-9])?$/.test(name)) {
    refuse(kind, `has ${quoted} is not made of letters, digits and hyphens`, uniqueHint)
  }
  if (isKnown(name)) refuse(kind, `has ${quoted} is declared twice`, uniqueHint)
  if (typeof desired !== 'function') {
    const hint = `write .child('${name}', ${child.kind.kind}, options, (owner) => ({ ... }))`
    refuse(kind, `has no function that returns the desired state of its child ${name}`, hint)
  }
  const unknown = after.find((other) => !isKnown(other))
  if (unknown === undefined) return
  const hint = 'declare children in the order in which they wait for each other'
  refuse(kind, `declares ${name} after ${unknown}, which is not declared before it`, hint)
}

/** Refuses options that would stop all reconciles, and names that objects cannot contain. */
export function checkOptions(kind: Kind, options: OperatorOptions & { name: string }): void {
  const { name, formerNames = [], fieldManager = '', concurrency = 1, timeout = 1 } = options
  const { queue = {}, namespaces } = options
  const hint = 'leave the option out to have its default'
  durationMs(queue.gather ?? 0, 'queue.gather')
  durationMs(queue.backoff?.first ?? 0, 'queue.backoff.first')
  durationMs(queue.backoff?.max ?? 0, 'queue.backoff.max')
  if (name === '') {
    const why = 'Other programs may serve this kind, too, and would share its state on objects'
    refuse(kind, `needs a name. ${why}`, `write operator(${kind.kind}, { name: 'my-operator' })`)
  }
  for (const one of name === defaultName(kind) ? formerNames : [name, ...formerNames]) {
    checkName(kind, one)
  }
  if (fieldManager.length > 128 || !isPrintable(fieldManager)) {
    refuse(kind, `has a fieldManager that is not up to 128 printable characters`, hint)
  }
  if (Array.isArray(namespaces)) checkNamespaces(kind, namespaces as readonly string[])
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    refuse(kind, `has the concurrency ${concurrency}, with which nothing would be done`, hint)
  }
  if (!(limitMs(timeout, 'timeout') > 0)) {
    refuse(kind, `has the timeout ${timeout}, with which every reconcile would fail`, hint)
  }
}

/** Finalizers and annotations contain the name, so it must be valid in them. */
function checkName(kind: Kind, name: string): void {
  if (/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(name)) return
  const rule = 'up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends'
  const hint = "write a name such as 'team-quotas': finalizers and annotations contain it"
  refuse(kind, `has the name ${JSON.stringify(name)}, which is not ${rule}`, hint)
}

function isPrintable(text: string): boolean {
  return /^\P{C}*$/u.test(text)
}

/** An operator that watches a namespace which cannot exist would do nothing. */
function checkNamespaces(kind: Kind, names: readonly string[]): void {
  const hint = "write names, or { labelSelector: 'team' } for namespaces that come and go"
  if (names.length === 0) refuse(kind, 'is restricted to an empty list of namespaces', hint)
  const wrong = names.find((name) => !isNamespaceName(name))
  if (wrong === undefined) return
  refuse(kind, `serves ${JSON.stringify(wrong)}, which is not a namespace name`, hint)
}

/** Refuses a path that is not valid, or that another HTTP source of the operator has. */
export function checkHttpSourcePath(
  { kind, httpSources }: OperatorDeclaration,
  path: string,
): void {
  const isTaken = httpSources.some((source) => source.path === path)
  if (/^\/[\w.~/-]+$/.test(path) && !isTaken) return
  const problem = isTaken ? 'is declared twice' : 'is not a path'
  refuse(
    kind,
    `has an HTTP source whose path ${JSON.stringify(path)} ${problem}`,
    'write a path of its own, such as "/events/github"',
  )
}

/** Without labels, the operator would get the rules of all ClusterRoles. */
export function checkRoles(kind: Kind, roles: Readonly<Record<string, string>>): void {
  if (Object.keys(roles).length > 0) return
  const hint = "write .dynamicKinds({ roles: { 'example.com/controller': 'true' } })"
  refuse(kind, 'selects all ClusterRoles by an empty set of labels', hint)
}

function refuse({ kind }: Kind, problem: string, hint: string): never {
  throw new SetpointError('OPERATOR_INVALID', `the operator for ${kind} ${problem}`, { hint })
}
