/** The selector of workloads, and the template that it must match. */
import type { LabelSelector } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import {
  checkLabelSelector,
  isEmptySelector,
  isReadableSelector,
  selectorMatches,
} from '../fields/check-label-selector.ts'
import { checkTemplate, templateOptionsOf, type Template } from '../pod/pod-template.ts'
import { sameValue } from '../fields/same-value.ts'

type Selector = Decoded<LabelSelector>

/** Checks a selector that is required and must not be empty. */
export function checkWorkloadSelector(
  selector: Selector | undefined,
  at: FieldPath,
  kind: string,
): void {
  if (selector === undefined) return at.required()
  checkLabelSelector(selector, at)
  if (isEmptySelector(selector)) {
    at.invalidPrinted(
      printStruct(selector, 'LabelSelector'),
      `empty selector is invalid for ${kind}`,
    )
  }
}

/** Reports a template whose labels do not match the selector. An empty selector is not compared. */
export function checkTemplateMatches(
  selector: Selector | undefined,
  template: Template,
  at: FieldPath,
): void {
  const labels = template.metadata?.labels
  if (selector !== undefined && isEmptySelector(selector)) return
  if (selectorMatches(selector, labels)) return
  at.child('metadata', 'labels').invalid(labels, '`selector` does not match template `labels`')
}

interface SelectedTemplate {
  readonly selector?: Selector
  readonly template?: Template
}

/** Checks selector and template of Deployments and ReplicaSets, which have the same messages. */
export function checkSelectorAndTemplate(
  { selector, template = {} }: SelectedTemplate,
  at: FieldPath,
  old: SelectedTemplate | undefined,
): void {
  const place = at.child('template')
  checkWorkloadSelector(selector, at.child('selector'), 'deployment')
  if (!isReadableSelector(selector)) {
    const printed = printStruct(selector, 'LabelSelector')
    return at.child('selector').invalidPrinted(printed, 'invalid label selector')
  }
  checkTemplateMatches(selector, template, place)
  checkTemplate(template, place, templateOptionsOf(old))
  checkRunsForever(template, place, 'ReplicaSet')
}

/** Pods of these kinds are always restarted and have no deadline. */
export function checkRunsForever(template: Template, at: FieldPath, kind: string): void {
  const { restartPolicy = '', activeDeadlineSeconds } = template.spec ?? {}
  if (restartPolicy !== 'Always') {
    at.child('spec', 'restartPolicy').notSupported(restartPolicy, ['Always'])
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`
    at.child('spec', 'activeDeadlineSeconds').forbidden(detail)
  }
}

/** The selector is immutable. */
export function checkSelectorUnchanged(
  selector: Selector | undefined,
  old: Selector | undefined,
  at: FieldPath,
): void {
  if (sameValue(selector, old)) return
  const printed = selector === undefined ? 'null' : printStruct(selector, 'LabelSelector')
  at.invalidPrinted(printed, 'field is immutable')
}
