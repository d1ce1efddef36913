import { webhookCondition } from 'setpoint/cel'
import { repetition } from '../fields/repetition.ts'
import { webhookUrlProblems } from 'setpoint/schema'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkLabelSelector } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { label1035Problems, portNumberProblems, subdomainProblems } from '../fields/name-rules.ts'
import {
  checkAdmissionRule,
  checkMatchConditions,
  failurePolicies,
  matchPolicies,
  reinvocationPolicies,
} from './admission-rule.ts'

type Webhook = NonNullable<Created<MutatingWebhookConfiguration>['object']['webhooks']>[number]
type ClientConfig = NonNullable<Webhook['clientConfig']>

const sideEffects = ['None', 'NoneOnDryRun']
const reviewVersions = ['v1', 'v1beta1']

function checkName(name: string, at: FieldPath): void {
  if (name === '') return at.required()
  const problems = subdomainProblems(name)
  if (problems.length > 0) at.invalid(name, problems.join(','))
  else if (name.split('.').length < 3) {
    at.invalid(name, 'should be a domain with at least three segments separated by dots')
  }
}

function checkChoice(value: string | undefined, at: FieldPath, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) at.notSupported(value, supported)
}

function checkWebhook(hook: Webhook, at: FieldPath): void {
  const { timeoutSeconds } = hook
  checkName(hook.name ?? '', at.child('name'))
  for (const [index, rule] of (hook.rules ?? []).entries()) {
    checkAdmissionRule(rule, at.child('rules').index(index))
  }
  checkChoice(hook.failurePolicy, at.child('failurePolicy'), failurePolicies)
  checkChoice(hook.matchPolicy, at.child('matchPolicy'), matchPolicies)
  if ((hook.sideEffects ?? '') === '') {
    at.child('sideEffects').required(`must specify one of ${sideEffects.join(', ')}`)
  } else checkChoice(hook.sideEffects, at.child('sideEffects'), sideEffects)
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    const detail = 'the timeout value must be between 1 and 30 seconds'
    at.child('timeoutSeconds').invalid(timeoutSeconds, detail)
  }
  checkLabelSelector(hook.namespaceSelector, at.child('namespaceSelector'))
  checkLabelSelector(hook.objectSelector, at.child('objectSelector'))
  checkChoice(hook.reinvocationPolicy, at.child('reinvocationPolicy'), reinvocationPolicies)
  checkClient(hook.clientConfig ?? {}, at.child('clientConfig'))
  const { matchConditions = [] } = hook
  const compiled = matchConditions.map(({ expression = '' }) => webhookCondition(expression.trim()))
  checkMatchConditions(matchConditions, at.child('matchConditions'), compiled)
}

function checkClient({ url, service }: ClientConfig, at: FieldPath): void {
  if ((url === undefined) === (service === undefined)) {
    return at.required('exactly one of url or service is required')
  }
  if (url !== undefined) {
    const place = at.child('url')
    place.add(webhookUrlProblems(place.path, url))
  }
  if (service === undefined) return
  const { name = '', namespace = '', port = 443, path } = service
  const place = at.child('service')
  // A real server swaps the two when it reports one of them missing.
  if (namespace === '') place.child('name').required()
  if (name === '') place.child('namespace').required()
  const problems = portNumberProblems(port)
  if (problems.length > 0) {
    place.child('port').invalid(port, `port is not valid: ${problems.join(', ')}`)
  }
  if (path !== undefined) checkPath(path, place.child('path'))
}

function checkPath(path: string, at: FieldPath): void {
  if (path === '' || path === '/') return
  if (path === '//') return at.invalid(path, 'segment[0] may not be empty')
  if (!path.startsWith('/')) at.invalid(path, "must start with a '/'")
  // Go drops one byte, which leaves the other bytes of a letter outside of ASCII.
  const isSplit = (path.codePointAt(0) ?? 0) > 0x7f
  const rest = isSplit ? path : path.slice(1)
  const steps = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/')
  for (const [index, step] of steps.entries()) {
    if (step === '') at.invalid(path, `segment[${index}] may not be empty`)
    else {
      const problems = subdomainProblems(step).map((text) => `segment[${index}]: ${text}`)
      at.invalidEach(path, problems)
    }
  }
}

function checkReviewVersions(versions: readonly string[], at: FieldPath): void {
  const known = reviewVersions.join(', ')
  if (versions.length === 0) return at.required(`must specify one of ${known}`)
  const isRepeated = repetition()
  for (const [index, version] of versions.entries()) {
    if (isRepeated(version)) at.index(index).invalid(version, 'duplicate version')
    else at.index(index).invalidEach(version, label1035Problems(version))
  }
  if (versions.some((version) => reviewVersions.includes(version))) return
  at.invalid(versions, `must include at least one of ${known}`)
}

function checkConfiguration({
  object,
  at,
  checkMetadata,
}: Created<MutatingWebhookConfiguration>): void {
  const names = new Set<string>()
  checkMetadata()
  for (const [index, hook] of (object.webhooks ?? []).entries()) {
    const place = at.child('webhooks').index(index)
    const { name = '' } = hook
    checkWebhook(hook, place)
    checkReviewVersions(hook.admissionReviewVersions ?? [], place.child('admissionReviewVersions'))
    if (name !== '' && names.has(name)) place.child('name').duplicate(name)
    names.add(name)
  }
}

const common = {
  group: 'admissionregistration.k8s.io',
  namespaced: false,
  nameRule: nameRules.subdomain,
  allowsPlainFinalizers: true,
} as const

/** The rules of MutatingWebhookConfigurations. */
export const mutatingWebhookRules = checkedKind<MutatingWebhookConfiguration>({
  ...common,
  kind: 'MutatingWebhookConfiguration',
  resource: 'mutatingwebhookconfigurations',
  create: checkConfiguration,
  update: checkConfiguration,
})

/** The rules of ValidatingWebhookConfigurations: those of the mutating kind without one field. */
export const validatingWebhookRules = checkedKind<ValidatingWebhookConfiguration>({
  ...common,
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations',
  create: checkConfiguration,
  update: checkConfiguration,
})
