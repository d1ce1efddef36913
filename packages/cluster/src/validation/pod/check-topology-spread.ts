import { checkLabelKeys } from './affinity.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabelSelector } from '../fields/check-label-selector.ts'
import { checkPositive } from '../fields/number-rules.ts'
import type { PodOptions, Spec } from './pod-options.ts'

type Constraint = NonNullable<Spec['topologySpreadConstraints']>[number]

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const inclusion = ['Honor', 'Ignore']

/** Checks topology spread constraints. */
export function checkTopologySpread(
  constraints: readonly Constraint[],
  at: FieldPath,
  options: PodOptions,
): void {
  const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: Constraint) =>
    JSON.stringify([topologyKey, whenUnsatisfiable])
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]))
  for (const [index, constraint] of constraints.entries()) {
    const place = at.index(index)
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable: action = '' } = constraint
    checkPositive(maxSkew, place.child('maxSkew'))
    if (topologyKey === '') place.child('topologyKey').required('can not be empty')
    if (!actions.includes(action)) place.child('whenUnsatisfiable').notSupported(action, actions)
    if (last.get(pairOf(constraint)) !== index) {
      place.child('{topologyKey, whenUnsatisfiable}').duplicate(`{${topologyKey}, ${action}}`)
    }
    checkDetails(constraint, place)
    checkLabelKeys(constraint, place)
    if (options.allowInvalidSpreadSelector !== true) {
      checkLabelSelector(constraint.labelSelector, place.child('labelSelector'))
    }
  }
}

function checkDetails(constraint: Constraint, at: FieldPath): void {
  const { minDomains, whenUnsatisfiable: action = '' } = constraint
  if (minDomains !== undefined) {
    checkPositive(minDomains, at.child('minDomains'))
    if (action !== 'DoNotSchedule') {
      const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`
      at.child('minDomains').invalid(minDomains, detail)
    }
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[field]
    if (policy === undefined || inclusion.includes(policy)) continue
    at.child(field).notSupported(policy, inclusion)
  }
}
