import type { PodTemplateSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabels } from '../fields/check-label-selector.ts'
import { checkAnnotations } from '../object-meta.ts'
import { checkPodAnnotations, checkProfileAnnotations } from './pod-annotations.ts'
import { podOptionsFor, type PodOptions } from './pod-options.ts'
import { checkPodSpec } from './pod-spec.ts'

/** The pod template of a workload after decoding. */
export type Template = Decoded<PodTemplateSpec>

/** Relaxes rules that the stored template already violates. */
export function templateOptions(old: Template | undefined): PodOptions {
  return podOptionsFor(old?.spec ?? (old === undefined ? undefined : {}), old?.metadata)
}

/** Relaxes rules that the template of the stored spec already violates. */
export function templateOptionsOf(old: { readonly template?: Template } | undefined): PodOptions {
  return templateOptions(old === undefined ? undefined : (old.template ?? {}))
}

/** Checks a template. Errors of its labels and annotations have no `metadata` in the path. */
export function checkTemplate(template: Template, at: FieldPath, options: PodOptions): void {
  const { metadata, spec = {} } = template
  const annotated = { annotations: metadata?.annotations, spec }
  checkLabels(metadata?.labels, at.child('labels'))
  checkAnnotations(metadata?.annotations, at.child('annotations'))
  checkPodAnnotations(annotated, at.child('annotations'), options)
  checkPodSpec({ spec, options }, at.child('spec'))
  checkProfileAnnotations(annotated, at.child('spec'))
  if ((spec.ephemeralContainers ?? []).length > 0) {
    at.child('spec', 'ephemeralContainers').forbidden(
      'ephemeral containers not allowed in pod template',
    )
  }
}
