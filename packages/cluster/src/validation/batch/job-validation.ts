import type { Job } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct, type GoStruct } from '../go/go-struct.ts'
import { checkJobSpec, type Spec } from './job-spec.ts'
import { checkJobStatus } from './check-job-status.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import {
  checkLabelSelector,
  isReadableSelector,
  selectorMatches,
} from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelProblems } from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import type { PodOptions } from '../pod/pod-options.ts'
import { templateOptions, type Template } from '../pod/pod-template.ts'
import { sameValue } from '../fields/same-value.ts'
import { checkSelectorUnchanged } from '../apps/workload-selector.ts'

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'] as const

/** The server generates selector and labels, unless the author sets manualSelector. */
function checkGeneratedSelector({ object, at }: Created<Job>, old?: Updated<Job>['old']): void {
  const { metadata, spec = {} } = object
  if (spec.manualSelector === true || spec.selector === undefined) return
  const { uid = '', name = '' } = metadata ?? {}
  if (uid === '') at.child('metadata', 'uid').required()
  const labels = spec.template?.metadata?.labels
  const expected: Record<string, string> = {}
  // A Job that does not have the newer labels need not get them.
  const oldLabels = old === undefined ? undefined : (old.spec?.template?.metadata?.labels ?? {})
  const names = [uidLabels[1], nameLabels[1]] as const
  const isNew = oldLabels === undefined || names.every((label) => Object.hasOwn(oldLabels, label))
  const legacy = [
    [uidLabels[0], uid],
    [nameLabels[0], name],
  ] as const
  const current = [
    [uidLabels[1], uid],
    [nameLabels[1], name],
  ] as const
  const pairs = isNew ? [...legacy, ...current] : legacy
  for (const [label, value] of pairs) {
    expected[label] = value
    const place = at.child('spec', 'template', 'metadata', 'labels').key(label)
    const found = labels?.[label]
    if (found === undefined) place.required(`must be '${value}'`)
    else if (found !== value) place.invalid(labels, `must be '${value}'`)
  }
  if (!isReadableSelector(spec.selector) || selectorMatches(spec.selector, expected)) return
  const printed = printStruct(spec.selector, 'LabelSelector')
  at.child('spec', 'selector').invalidPrinted(printed, '`selector` not auto-generated')
}

function checkSpec(spec: Spec, at: FieldPath, options: PodOptions): void {
  const { selector } = spec
  checkJobSpec(spec, at, options)
  if (selector === undefined) at.child('selector').required()
  else {
    checkLabelSelector(selector, at.child('selector'), {
      allowInvalidValues: options.allowInvalidSelectorValues ?? false,
    })
  }
  const labels = spec.template?.metadata?.labels
  if (!isReadableSelector(selector) || selectorMatches(selector, labels)) return
  const place = at.child('template', 'metadata', 'labels')
  place.invalid(labels, '`selector` does not match template `labels`')
}

/** The pods of Indexed Jobs have hostnames that are derived from the Job's name. */
function checkHostnames({ object, at }: Created<Job>): void {
  const { completionMode, completions = 0 } = object.spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 0) return
  const { name = '' } = object.metadata ?? {}
  const hostname = `${name}-${completions - 1}`
  if (labelProblems(hostname).length === 0) return
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`
  at.child('metadata', 'name').invalid(name, detail)
}

function checkUpdate(updated: Updated<Job>): void {
  const { object, old, at } = updated
  const { spec = {} } = object
  const { spec: oldSpec = {} } = old
  const place = at.child('spec')
  checkSpec(spec, place, templateOptions(oldSpec.template ?? {}))
  checkCompletions(spec, oldSpec, place.child('completions'))
  checkSelectorUnchanged(spec.selector, oldSpec.selector, place.child('selector'))
  checkTemplateUpdate(updated, place)
  checkImmutable(spec.completionMode, oldSpec.completionMode, place.child('completionMode'))
  checkStruct(updated, 'podFailurePolicy', 'PodFailurePolicy')
  checkImmutable(
    spec.backoffLimitPerIndex,
    oldSpec.backoffLimitPerIndex,
    place.child('backoffLimitPerIndex'),
  )
  checkImmutable(spec.managedBy, oldSpec.managedBy, place.child('managedBy'))
  checkStruct(updated, 'successPolicy', 'SuccessPolicy')
}

function checkStruct(
  { object, old, at }: Updated<Job>,
  field: 'podFailurePolicy' | 'successPolicy',
  struct: GoStruct,
): void {
  const value = object.spec?.[field]
  if (sameValue(value, old.spec?.[field])) return
  const printed = value === undefined ? 'null' : printStruct(value, struct)
  at.child('spec', field).invalidPrinted(printed, 'field is immutable')
}

function checkCompletions(spec: Spec, old: Spec, at: FieldPath): void {
  const { completions, parallelism } = spec
  if (spec.completionMode !== 'Indexed') return checkImmutable(completions, old.completions, at)
  if (completions === old.completions || completions === undefined) return
  if (completions === parallelism) return
  at.invalid(completions, 'can only be modified in tandem with spec.parallelism')
}

/** A suspended Job without running pods may change some fields of its template. */
function checkTemplateUpdate({ object, old, at: _at }: Updated<Job>, at: FieldPath): void {
  const template = object.spec?.template ?? {}
  const oldTemplate = old.spec?.template ?? {}
  const isSuspended = old.spec?.suspend === true
  const allowsChanges = isSuspended && hasStopped(old)
  const kept = allowsChanges ? withNewScheduling(oldTemplate, template) : oldTemplate
  if (!allowsChanges) {
    if (sameValue(template, kept)) return
    const printed = printStruct(template, 'PodTemplateSpec')
    return at.child('template').invalidPrinted(printed, 'field is immutable')
  }
  if (sameValue(template.spec, withNewResources(kept, template).spec)) return
  const printed = printStruct(template.spec ?? {}, 'PodSpec')
  at.child('template.spec').invalidPrinted(printed, 'field is immutable')
}

/** The controller has reported the suspension, or the Job never started. */
function hasStopped({ status }: Updated<Job>['old']): boolean {
  const isSuspended = (status?.conditions ?? []).some(
    (condition) => condition.type === 'Suspended' && condition.status === 'True',
  )
  return status?.startTime === undefined || (isSuspended && (status.active ?? 0) === 0)
}

type TemplateSpec = NonNullable<Template['spec']>

function replaceFields<T extends object>(target: T, source: T, fields: readonly (keyof T)[]): T {
  const kept = Object.entries(target).filter(([field]) => !fields.includes(field as keyof T))
  const taken = Object.entries(source).filter(([field]) => fields.includes(field as keyof T))
  return Object.fromEntries([...kept, ...taken]) as T
}

function withNewScheduling(old: Template, template: Template): Template {
  const oldSpec: TemplateSpec = old.spec ?? {}
  const spec: TemplateSpec = template.spec ?? {}
  const fields = ['nodeSelector', 'tolerations', 'schedulingGates'] as const
  const affinity = replaceFields(oldSpec.affinity ?? {}, spec.affinity ?? {}, ['nodeAffinity'])
  const { affinity: _affinity, ...rest } = replaceFields(oldSpec, spec, fields)
  const hasAffinity = Object.keys(affinity).length > 0 || spec.affinity !== undefined
  return {
    metadata: replaceFields(old.metadata ?? {}, template.metadata ?? {}, ['labels', 'annotations']),
    spec: hasAffinity ? { ...rest, affinity } : rest,
  }
}

function withNewResources(old: Template, template: Template): Template {
  const oldSpec: TemplateSpec = old.spec ?? {}
  const restore = (field: 'containers' | 'initContainers') => {
    const before = oldSpec[field]
    const after = template.spec?.[field]
    if (before === undefined || before.length !== after?.length) return before
    return before.map((container, index) => {
      const next = after[index] ?? {}
      return container.name === next.name
        ? replaceFields(container, next, ['resources'])
        : container
    })
  }
  const containers = restore('containers')
  const initContainers = restore('initContainers')
  return {
    ...old,
    spec: {
      ...oldSpec,
      ...(containers === undefined ? {} : { containers }),
      ...(initContainers === undefined ? {} : { initContainers }),
    },
  }
}

function checkJob(created: Created<Job>, options: PodOptions, old?: Updated<Job>['old']): void {
  created.checkMetadata()
  checkGeneratedSelector(created, old)
  checkSpec(created.object.spec ?? {}, created.at.child('spec'), options)
  checkHostnames(created)
}

/** The rules of Jobs. */
export const jobRules = checkedKind<Job>({
  group: 'batch',
  kind: 'Job',
  resource: 'jobs',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create(created) {
    checkJob(created, {})
  },
  // An update is first checked like a new Job, which can repeat messages.
  update(updated) {
    checkJob(updated, templateOptions(updated.old.spec?.template ?? {}), updated.old)
    updated.checkMetadataUpdate()
    checkUpdate(updated)
    checkHostnames(updated)
  },
  subresources: {
    status(updated) {
      updated.checkMetadataUpdate()
      checkJobStatus(updated)
    },
  },
})
