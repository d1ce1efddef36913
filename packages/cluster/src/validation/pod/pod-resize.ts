import { ownValue } from '../../object/index.ts'
import type { Pod } from 'setpoint/kinds'
import { qosClassOf } from '../../object/index.ts'
import type { Requirements } from '../container/container-resources.ts'
import type { FieldPath } from '../go/field-path.ts'
import type { Updated } from '../kind-rules.ts'
import { isMirrorPod } from './pod-annotations.ts'
import type { Container, Spec } from './pod-options.ts'
import { sameValue } from '../fields/same-value.ts'

/** Checks a resize of a pod. */
export function checkPodResize({ object, old, at }: Updated<Pod>): void {
  const { spec = {} } = object
  const { spec: oldSpec = {} } = old
  const place = at.child('spec')
  if (isMirrorPod(old.metadata?.annotations)) {
    return at.unnamed().forbidden('static pods cannot be resized')
  }
  if (oldSpec.os?.name === 'windows') {
    return at.unnamed().forbidden('windows pods cannot be resized')
  }
  if ((old.status?.qosClass ?? qosClassOf(oldSpec)) !== qosClassOf(spec)) {
    const detail = 'Pod QOS Class may not change as a result of resizing'
    place.invalid(object.status?.qosClass ?? '', detail)
  }
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running !== undefined)
  if (running !== undefined && running.resources === undefined) {
    place.forbidden('Pod running on node without support for resize')
  }
  const found = place.collects(() => checkContainers(spec, oldSpec, place))
  if (!found && !sameValue(withoutAmounts(spec, oldSpec), oldSpec)) {
    place.forbidden('only cpu and memory resources are mutable')
  }
}

function checkContainers(spec: Spec, old: Spec, at: FieldPath): void {
  const hasMoved = at.collects(() => {
    for (const field of ['containers', 'initContainers'] as const) {
      checkSameNames({ field, spec, old }, at.child(field))
    }
  })
  if (hasMoved) return
  for (const field of ['initContainers', 'containers'] as const) {
    for (const [index, before] of (old[field] ?? []).entries()) {
      const resources = spec[field]?.[index]?.resources ?? {}
      const place = at.child(field).index(index).child('resources')
      checkNotRemoved(resources, before.resources ?? {}, place)
    }
  }
  for (const [index, before] of (old.containers ?? []).entries()) {
    const container = spec.containers?.[index] ?? {}
    if (!sameValue(withOldAmounts(container, before), before)) {
      at.forbidden('only cpu and memory resources are mutable')
    }
  }
  for (const [index, before] of (old.initContainers ?? []).entries()) {
    const container = spec.initContainers?.[index] ?? {}
    if (sameValue(withOldAmounts(container, before), before)) continue
    const detail = 'only cpu and memory resources for init or sidecar containers are mutable'
    at.child('initContainers').index(index).forbidden(detail)
  }
}

interface ContainerLists {
  readonly field: 'containers' | 'initContainers'
  readonly spec: Spec
  readonly old: Spec
}

function checkSameNames({ field, spec, old }: ContainerLists, at: FieldPath): void {
  const containers = spec[field] ?? []
  const before = old[field] ?? []
  if (containers.length !== before.length) {
    return at.forbidden(`${field} may not be added or removed on resize`)
  }
  for (const [index, { name }] of before.entries()) {
    if (containers[index]?.name === name) continue
    at.index(index).child('name').forbidden(`${field} may not be renamed or reordered on resize`)
  }
}

function checkNotRemoved(resources: Requirements, old: Requirements, at: FieldPath): void {
  for (const field of ['requests', 'limits'] as const) {
    const names = Object.keys(old[field] ?? {})
    if (names.every((name) => ownValue(resources[field], name) !== undefined)) continue
    at.child(field).forbidden(`resource ${field} cannot be removed`)
  }
}

/** The container with the old values of the mutable amounts. */
function withOldAmounts(container: Container, old: Container): Container {
  const amounts = (field: 'requests' | 'limits') => {
    const { cpu: _cpu, memory: _memory, ...others } = container.resources?.[field] ?? {}
    const { cpu, memory } = old.resources?.[field] ?? {}
    return {
      ...others,
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
    }
  }
  const limits = amounts('limits')
  const requests = amounts('requests')
  const { claims } = container.resources ?? {}
  const resources = {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
    ...(claims === undefined ? {} : { claims }),
  }
  return { ...container, resources }
}

function withoutAmounts(spec: Spec, old: Spec): Spec {
  const restore = (field: 'containers' | 'initContainers') =>
    spec[field]?.map((container, index) => withOldAmounts(container, old[field]?.[index] ?? {}))
  const containers = restore('containers')
  const initContainers = restore('initContainers')
  return {
    ...spec,
    ...(containers === undefined ? {} : { containers }),
    ...(initContainers === undefined ? {} : { initContainers }),
  }
}
