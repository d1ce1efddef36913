/** Admission policies and their bindings. */
import { type CompiledExpression, policyPrograms, type PolicyPrograms } from 'setpoint/cel'
import { repetition } from '../fields/repetition.ts'
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'
import { checkConditions } from '../fields/check-conditions.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkLabelSelector, checkQualifiedName } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { label1035Problems, pathSegmentProblems, subdomainProblems } from '../fields/name-rules.ts'
import {
  checkMatchConditions,
  checkMatchResources,
  failurePolicies,
  reinvocationPolicies,
} from './admission-rule.ts'

type Policy = Created<ValidatingAdmissionPolicy>['object']
type Spec = NonNullable<Policy['spec']>
type MutatingSpec = NonNullable<Created<MutatingAdmissionPolicy>['object']['spec']>
type Validation = NonNullable<Spec['validations']>[number]
type BindingSpec = NonNullable<Created<ValidatingAdmissionPolicyBinding>['object']['spec']>

const common = {
  group: 'admissionregistration.k8s.io',
  namespaced: false,
  nameRule: nameRules.subdomain,
  allowsPlainFinalizers: true,
} as const

function checkParamKind(kind: NonNullable<Spec['paramKind']>, at: FieldPath): void {
  const { apiVersion = '', kind: name = '' } = kind
  const place = at.child('apiVersion')
  const parts = apiVersion.split('/')
  const version = parts.at(-1) ?? ''
  const group = parts.length === 2 ? (parts[0] ?? '') : ''
  if (apiVersion === '') place.required()
  else if (parts.length > 2) {
    place.invalid(apiVersion, `unexpected GroupVersion string: ${apiVersion}`)
  } else {
    const groupProblems = group === '' ? [] : subdomainProblems(group)
    if (groupProblems.length > 0) place.invalid(group, groupProblems.join(','))
    const problems = label1035Problems(version)
    if (version === '') place.invalid(apiVersion, 'version must be specified')
    else if (problems.length > 0) place.invalid(version, problems.join(','))
  }
  const kindProblems = label1035Problems(name.toLowerCase())
  if (name === '') at.child('kind').required()
  else if (kindProblems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`
    at.child('kind').invalid(name, detail)
  }
}

/** The rules that both kinds of policies share. */
function checkCommonSpec(
  spec: Pick<
    Spec,
    'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
  >,
  at: FieldPath,
  { programs, checkOperations = () => undefined }: CommonChecks,
): void {
  const { failurePolicy, paramKind, matchConstraints } = spec
  if (failurePolicy === undefined) at.child('failurePolicy').required()
  else if (!failurePolicies.includes(failurePolicy)) {
    at.child('failurePolicy').notSupported(failurePolicy, failurePolicies)
  }
  if (paramKind !== undefined) checkParamKind(paramKind, at.child('paramKind'))
  const place = at.child('matchConstraints')
  if (matchConstraints === undefined) place.required()
  else {
    checkMatchResources(matchConstraints, place)
    if ((matchConstraints.resourceRules ?? []).length === 0) place.child('resourceRules').required()
    checkOperations()
  }
  const conditionsAt = at.child('matchConditions')
  checkMatchConditions(spec.matchConditions ?? [], conditionsAt, programs.matchConditions)
  for (const [index, { name = '', expression = '' }] of (spec.variables ?? []).entries()) {
    const variableAt = at.child('variables').index(index)
    if (name.trim() === '') variableAt.child('name').required('name is not specified')
    else if (!isCelIdentifier(name)) {
      variableAt.child('name').invalid(name, 'must be a valid CEL identifier')
    }
    const place = variableAt.child('expression')
    if (expression.trim() === '') place.required('expression is not specified')
    else checkCompiled(expression, programs.variables.get(name), place)
  }
}

/** What the checks of both kinds of policies share. */
interface CommonChecks {
  readonly programs: PolicyPrograms
  readonly checkOperations?: () => void
}

function checkCompiled(
  expression: string,
  compiled: CompiledExpression | undefined,
  at: FieldPath,
): void {
  if (compiled?.problem !== undefined) at.invalid(expression, compiled.problem)
}

const celReserved =
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  )

function isCelIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !celReserved.includes(name)
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']

function checkValidation(
  validation: Validation,
  at: FieldPath,
  { programs, index }: { readonly programs: PolicyPrograms; readonly index: number },
): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation
  const expressionAt = at.child('expression')
  if (expression.trim() === '') expressionAt.required('expression is not specified')
  else checkCompiled(expression, programs.validations[index], expressionAt)
  if (messageExpression !== '' && messageExpression.trim() === '') {
    at.child('messageExpression').invalid(messageExpression, 'must be non-empty if specified')
  } else checkCompiled(messageExpression, programs.messages[index], at.child('messageExpression'))
  if (message !== '' && message.trim() === '') {
    at.child('message').invalid(message, 'must be non-empty if specified')
  } else if (/[\n\r]/.test(message.trim())) {
    at.child('message').invalid(message, 'must not contain line breaks')
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    at.child('reason').notSupported(reason, reasons.slice(0, 3))
  }
}

function checkPolicy({ object, at, checkMetadata }: Created<ValidatingAdmissionPolicy>): void {
  const { spec = {}, metadata } = object
  const { validations = [], auditAnnotations = [] } = spec
  const place = at.child('spec')
  const programs = policyPrograms(spec)
  checkMetadata()
  checkCommonSpec(spec, place, { programs })
  if (validations.length + auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    place.child('validations').required(detail)
    place.child('auditAnnotations').required(detail)
  }
  for (const [index, validation] of validations.entries()) {
    checkValidation(validation, place.child('validations').index(index), { programs, index })
  }
  const keys = new Set<string>()
  for (const [index, { key = '', valueExpression = '' }] of auditAnnotations.entries()) {
    const annotationAt = place.child('auditAnnotations').index(index)
    checkQualifiedName(`${metadata?.name ?? ''}/${key}`, annotationAt.child('key'))
    const valueAt = annotationAt.child('valueExpression')
    if (valueExpression.trim() === '') valueAt.required('valueExpression is not specified')
    else checkCompiled(valueExpression, programs.auditAnnotations[index], valueAt)
    if (keys.has(key)) annotationAt.child('key').duplicate(key)
    keys.add(key)
  }
}

/** The rules of ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyRules = checkedKind<ValidatingAdmissionPolicy>({
  ...common,
  kind: 'ValidatingAdmissionPolicy',
  resource: 'validatingadmissionpolicies',
  create: checkPolicy,
  update: checkPolicy,
  subresources: {
    status({ object, at }) {
      checkConditions(object.status?.conditions ?? [], at.child('status', 'conditions'))
    },
  },
})

const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE']

function checkMutation(
  mutation: NonNullable<MutatingSpec['mutations']>[number],
  at: FieldPath,
  compiled: CompiledExpression | undefined,
): void {
  const { patchType = '' } = mutation
  const fields = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' } as const
  if (patchType === '') return at.child('patchType').required()
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    return at.child('patchType').notSupported(patchType, ['ApplyConfiguration', 'JSONPatch'])
  }
  const field = fields[patchType]
  const other = patchType === 'JSONPatch' ? 'applyConfiguration' : 'jsonPatch'
  const patch = mutation[field]
  if (patch === undefined) {
    at.child(field).required(`must be specified when patchType is ${patchType}`)
  } else {
    const expression = (patch.expression ?? '').trim()
    const place = at.child(field, 'expression')
    if (expression === '') place.required()
    else checkCompiled(expression, compiled, place)
  }
  if (mutation[other] !== undefined) {
    const detail = `must not be specified when patchType is ${patchType}`
    at.child(other).invalid(`{${other}}`, detail)
  }
}

/** Deletions have no object that could be changed. */
function checkMutatingOperations(
  { resourceRules = [] }: Pick<NonNullable<MutatingSpec['matchConstraints']>, 'resourceRules'>,
  at: FieldPath,
): void {
  for (const { operations = [] } of resourceRules) {
    for (const operation of operations) {
      if (mutatingOperations.includes(operation)) continue
      at.child('resourceRules', 'operations').notSupported(operation, mutatingOperations)
    }
  }
}

function checkMutatingPolicy({
  object,
  at,
  checkMetadata,
}: Created<MutatingAdmissionPolicy>): void {
  const { spec = {} } = object
  const { mutations = [], reinvocationPolicy: policy = '' } = spec
  const place = at.child('spec')
  checkMetadata()
  const programs = policyPrograms(spec)
  const checkOperations = (): void => {
    checkMutatingOperations(spec.matchConstraints ?? {}, place.child('matchConstraints'))
  }
  checkCommonSpec(spec, place, { programs, checkOperations })
  if (mutations.length === 0) {
    place.child('mutations').required('mutations must contain at least one item')
  }
  for (const [index, mutation] of mutations.entries()) {
    const mutationAt = place.child('mutations').index(index)
    checkMutation(mutation, mutationAt, programs.mutations[index])
  }
  if (policy === '') place.child('reinvocationPolicy').required()
  else if (!reinvocationPolicies.includes(policy)) {
    place.child('reinvocationPolicy').notSupported(policy, reinvocationPolicies)
  }
}

/** The rules of MutatingAdmissionPolicies. */
export const mutatingAdmissionPolicyRules = checkedKind<MutatingAdmissionPolicy>({
  ...common,
  kind: 'MutatingAdmissionPolicy',
  resource: 'mutatingadmissionpolicies',
  create: checkMutatingPolicy,
  update: checkMutatingPolicy,
})

function checkParamRef(reference: NonNullable<BindingSpec['paramRef']>, at: FieldPath): void {
  const { name = '', selector, parameterNotFoundAction: action = '' } = reference
  const detail = 'name and selector are mutually exclusive'
  if (name !== '') {
    at.child('name').invalidEach(name, pathSegmentProblems(name))
    if (selector !== undefined) at.child('name').forbidden(detail)
  }
  if (selector !== undefined) {
    checkLabelSelector(selector, at.child('selector'))
    if (name !== '') at.child('selector').forbidden(detail)
  }
  if (name === '' && selector === undefined) {
    at.required('one of name or selector must be specified')
  }
  const place = at.child('parameterNotFoundAction')
  if (action === '') place.required()
  else if (action !== 'Deny' && action !== 'Allow') place.notSupported(action, ['Deny', 'Allow'])
}

/** The rules that both kinds of bindings share. */
function checkBindingSpec(
  spec: Pick<BindingSpec, 'policyName' | 'paramRef' | 'matchResources'>,
  at: FieldPath,
): void {
  const { policyName = '', paramRef, matchResources } = spec
  if (policyName === '') at.child('policyName').required()
  else at.child('policyName').invalidEach(policyName, subdomainProblems(policyName))
  if (paramRef !== undefined) checkParamRef(paramRef, at.child('paramRef'))
  if (matchResources !== undefined) checkMatchResources(matchResources, at.child('matchResources'))
}

const actions = ['Audit', 'Deny', 'Warn']

function checkActions(chosen: readonly string[], at: FieldPath): void {
  const isRepeated = repetition()
  for (const [index, action] of chosen.entries()) {
    if (!actions.includes(action)) at.index(index).notSupported(action, actions)
    if (isRepeated(action)) at.index(index).duplicate(action)
  }
  if (chosen.includes('Deny') && chosen.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
    at.invalid(chosen, detail)
  }
  if (chosen.length === 0) at.required('at least one validation action is required')
}

function checkBinding({
  object,
  at,
  checkMetadata,
}: Created<ValidatingAdmissionPolicyBinding>): void {
  checkMetadata()
  checkBindingSpec(object.spec ?? {}, at.child('spec'))
  checkActions(object.spec?.validationActions ?? [], at.child('spec', 'validationActions'))
}

/** The rules of ValidatingAdmissionPolicyBindings. */
export const validatingAdmissionPolicyBindingRules = checkedKind<ValidatingAdmissionPolicyBinding>({
  ...common,
  kind: 'ValidatingAdmissionPolicyBinding',
  resource: 'validatingadmissionpolicybindings',
  create: checkBinding,
  update: checkBinding,
})

function checkMutatingBinding({
  object,
  at,
  checkMetadata,
}: Created<MutatingAdmissionPolicyBinding>): void {
  const { spec = {} } = object
  checkMetadata()
  checkBindingSpec(spec, at.child('spec'))
  checkMutatingOperations(spec.matchResources ?? {}, at.child('spec', 'matchResources'))
}

/** The rules of MutatingAdmissionPolicyBindings. */
export const mutatingAdmissionPolicyBindingRules = checkedKind<MutatingAdmissionPolicyBinding>({
  ...common,
  kind: 'MutatingAdmissionPolicyBinding',
  resource: 'mutatingadmissionpolicybindings',
  create: checkMutatingBinding,
  update: checkMutatingBinding,
})
