import { SetpointError } from '../errors/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { checkedMatch, type Refuse } from './checked-match.ts'
import type { PolicyDeclaration } from './policy-declaration.ts'
import type { PolicyOptions, PolicyParams, PolicyValidation } from './policy-options.ts'

interface Declaring {
  readonly kind: Kind
  readonly policies: readonly PolicyDeclaration[]
}

/** Checks a policy where it is declared. The author may have no compiler. */
export function declaredPolicy(
  { kind, policies }: Declaring,
  name: string,
  options: PolicyOptions,
): PolicyDeclaration {
  const refuse = (problem: string, hint: string): never => {
    const message = `the policy ${JSON.stringify(name)} for ${kind.kind} ${problem}`
    throw new SetpointError('OPERATOR_INVALID', message, { hint })
  }
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
    refuse(
      'has a name that is not up to 63 lower-case letters, digits and hyphens',
      'write a name such as no-latest: the objects of the policy contain it',
    )
  }
  if (policies.some((other) => other.name === name)) {
    refuse('is declared twice', 'give every policy of an operator a name of its own')
  }
  const { operations, subresource } = checkedMatch(kind, options, refuse)
  checkContent(options, refuse)
  if (options.mutations !== undefined && operations.includes('DELETE')) {
    refuse('has the operation DELETE, at which nothing can be changed', 'use rules')
  }
  checkNames(options, refuse)
  checkActions(options.actions, refuse)
  if (options.params !== undefined) checkParams(kind, options.params, refuse)
  return { name, kind, subresource, operations, options }
}

/** A rule in the form of Kubernetes. */
export function validationOf(
  written: PolicyValidation,
): Exclude<PolicyValidation, { readonly rule: unknown }> {
  if (!('rule' in written)) return written
  const { rule: expression, message, messageExpression } = written.rule
  return {
    expression,
    ...(message === undefined ? {} : { message }),
    ...(messageExpression === undefined ? {} : { messageExpression }),
  }
}

/** Refuses a policy without an effect, or with rules and mutations. */
function checkContent(options: PolicyOptions, refuse: Refuse): void {
  const { rules = [], auditAnnotations = {}, mutations } = options
  const reviews = rules.length + Object.keys(auditAnnotations).length
  if (reviews + (mutations?.length ?? 0) === 0) {
    refuse('does nothing', 'write rules: [rule("...", "message")], or mutations: [...]')
  }
  if (mutations !== undefined && reviews > 0) {
    refuse('has rules and mutations', 'declare two policies: Kubernetes has a kind for each')
  }
  for (const written of rules) checkRule(written, refuse)
  for (const { applyConfiguration, jsonPatch } of mutations ?? []) {
    if ((applyConfiguration === undefined) === (jsonPatch === undefined)) {
      refuse(
        'has a mutation without exactly one expression',
        'write { applyConfiguration: "Object{...}" } or { jsonPatch: "[JSONPatch{...}]" }',
      )
    }
  }
}

function checkRule(written: PolicyValidation, refuse: Refuse): void {
  const { rule = {} } = written as { readonly rule?: object }
  const foreign = ['reason', 'fieldPath', 'optionalOldSelf'].find((field) => field in rule)
  const { expression, message = '' } = validationOf(written)
  const shown = `has the rule ${JSON.stringify(expression)}`
  if (foreign !== undefined) {
    refuse(
      `${shown} with ${foreign}, which only rules of definitions have`,
      "write { expression, message, reason: 'Forbidden' } instead of rule(...)",
    )
  }
  if (/[\n\r]/.test(message.trim())) {
    refuse(`${shown}, whose message has line breaks`, 'write the message in one line')
  }
}

const reserved =
  /^(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/

/** Refuses names of variables and annotations that API servers refuse. */
function checkNames({ variables, auditAnnotations }: PolicyOptions, refuse: Refuse): void {
  const variable = Object.keys(variables ?? {}).find(
    (one) => !/^[_a-zA-Z]\w*$/.test(one) || reserved.test(one),
  )
  if (variable !== undefined) {
    refuse(
      `has the variable ${JSON.stringify(variable)}, which expressions cannot name`,
      'write letters, digits and "_", and no reserved word of CEL',
    )
  }
  const key = Object.keys(auditAnnotations ?? {}).find(
    (one) => !/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(one),
  )
  if (key === undefined) return
  refuse(
    `has the audit annotation ${JSON.stringify(key)}, which is not a valid key`,
    'write up to 63 letters, digits, "-", "_" and "."',
  )
}

const knownActions = ['Deny', 'Warn', 'Audit']

function checkActions(actions: readonly string[] | undefined, refuse: Refuse): void {
  if (actions === undefined) return
  const isKnown = actions.length > 0 && actions.every((one) => knownActions.includes(one))
  const isTwice = new Set(actions).size < actions.length
  const isBoth = actions.includes('Deny') && actions.includes('Warn')
  if (isKnown && !isTwice && !isBoth) return
  refuse(
    `has the actions [${actions.join(', ')}]`,
    `choose from ${knownActions.join(', ')}, each once; Deny and Warn exclude each other`,
  )
}

function checkParams(kind: Kind, params: PolicyParams, refuse: Refuse): void {
  const { name, selector, namespace, kind: paramKind } = params
  const what = `has params of the kind ${paramKind.kind}`
  if ((name === undefined) === (selector === undefined)) {
    refuse(`${what} without exactly one of name and selector`, "write name: 'limits'")
  }
  if (paramKind.scope === 'Cluster' && namespace !== undefined) {
    refuse(`${what}, which is cluster-scoped, and a namespace`, 'remove the namespace')
  }
  if (paramKind.scope === 'Namespaced' && kind.scope === 'Cluster' && namespace === undefined) {
    refuse(
      `${what} without a namespace, but ${kind.kind} is cluster-scoped`,
      'name the namespace of the params',
    )
  }
}
