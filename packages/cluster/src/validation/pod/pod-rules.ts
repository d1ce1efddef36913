import type { Pod } from 'setpoint/kinds'
import { checkImageSpaces } from '../container/container-rules.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  checkPodAnnotations,
  checkPodAnnotationUpdate,
  checkProfileAnnotations,
  isMirrorPod,
} from './pod-annotations.ts'
import { podOptionsFor, type PodOptions } from './pod-options.ts'
import { checkPodResize } from './pod-resize.ts'
import { checkPodSpec } from './pod-spec.ts'
import { checkPodStatus } from './pod-status.ts'
import { checkEphemeralUpdate, checkPodSpecUpdate } from './pod-update.ts'

/** Checks metadata and spec, on create and on every update. */
function checkPod({ object, at, checkMetadata }: Created<Pod>, options: PodOptions): void {
  const { metadata = {}, spec = {} } = object
  const specAt = at.child('spec')
  checkMetadata()
  const annotated = { annotations: metadata.annotations, spec }
  checkPodAnnotations(annotated, at.child('metadata', 'annotations'), options)
  checkPodSpec({ spec, metadata, options }, specAt)
  if ((spec.serviceAccountName ?? '') === '') forbidTokens(object, specAt)
  for (const field of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[field] ?? []).entries()) {
      checkImageSpaces(container, specAt.child(field).index(index))
    }
  }
}

/** A token needs a service account. */
function forbidTokens({ spec }: Created<Pod>['object'], at: FieldPath): void {
  for (const [index, { projected }] of (spec?.volumes ?? []).entries()) {
    for (const [number, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined) continue
      const place = at.child('volumes').index(index).child('projected', 'sources').index(number)
      const detail = 'must not be specified when serviceAccountName is not set'
      place.child('serviceAccountToken').forbidden(detail)
    }
  }
}

function optionsOf({ old }: Updated<Pod>): PodOptions {
  return { ...podOptionsFor(old.spec ?? {}, old.metadata), isPod: true }
}

function checkAnnotationUpdate(updated: Updated<Pod>, options: PodOptions): void {
  const { object, old, at } = updated
  const place = at.child('metadata', 'annotations')
  const annotations = object.metadata?.annotations
  checkPodAnnotationUpdate(annotations, old.metadata?.annotations, place)
  checkPodAnnotations({ annotations, spec: object.spec ?? {} }, place, options)
}

/** The rules of Pods. */
export const podRules = checkedKind<Pod>({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create(created) {
    const { object, at } = created
    const { metadata, spec = {} } = object
    const specAt = at.child('spec')
    checkPod(created, { isPod: true })
    if ((spec.ephemeralContainers ?? []).length > 0) {
      specAt.child('ephemeralContainers').forbidden('cannot be set on create')
    }
    if ((spec.nodeName ?? '') !== '' && (spec.schedulingGates ?? []).length > 0) {
      const detail = 'cannot be set until all schedulingGates have been cleared'
      specAt.child('nodeName').forbidden(detail)
    }
    checkProfileAnnotations({ annotations: metadata?.annotations, spec }, specAt)
  },
  update(updated) {
    const options = optionsOf(updated)
    updated.checkMetadataUpdate()
    checkPod(updated, options)
    checkAnnotationUpdate(updated, options)
    checkPodSpecUpdate(updated.object.spec ?? {}, updated.old.spec ?? {}, updated.at.child('spec'))
  },
  subresources: {
    status(updated) {
      updated.checkMetadataUpdate()
      checkAnnotationUpdate(updated, optionsOf(updated))
      checkPodStatus(updated)
    },
    ephemeralcontainers(updated) {
      const options = optionsOf(updated)
      const { object, old, at } = updated
      updated.checkMetadataUpdate()
      checkPod(updated, options)
      checkAnnotationUpdate(updated, options)
      if (isMirrorPod(old.metadata?.annotations)) {
        at.unnamed().forbidden('static pods do not support ephemeral containers')
      } else checkEphemeralUpdate(object.spec ?? {}, old.spec ?? {}, at.child('spec'))
    },
    resize(updated) {
      updated.checkMetadataUpdate()
      checkPod(updated, optionsOf(updated))
      checkPodResize(updated)
    },
  },
})
